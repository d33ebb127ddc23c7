namespace Stout.Documents;

/// <summary>How a change reacts if another process has written the object since this process read it.</summary>
public enum OnConflict
{
    /// <summary>The change fails with <see cref="ConflictException"/>, as does every call that has seen it. For objects with one owner.</summary>
    Fail,

    /// <summary>
    /// The call reads the object again and runs its function on the stored state. For services that run as several replicas without owners. An unknown
    /// outcome is never retried, since the change may have been made.
    /// </summary>
    Retry,
}

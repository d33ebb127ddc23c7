namespace Stout.Documents;

/// <summary>What a change does whose object another process has written since it was read.</summary>
public enum OnConflict
{
    /// <summary>It fails with <see cref="ConflictException"/>, and so does every call that has seen it. For objects with one owner.</summary>
    Fail,

    /// <summary>
    /// It reads the object anew and runs its function again, on what is stored. For a service that runs as several replicas without owners. An unknown
    /// outcome is never retried: the change may have been made.
    /// </summary>
    Retry,
}

namespace Stout.Sqlite.Writing;

/// <summary>
/// The time that deleted headers are kept by. It begins at the wall clock's time, since it is stored, and goes on by the monotonic clock, since the
/// handles that rely on those headers close by that one. A wall clock that is set, forward say, ends no header's time.
/// </summary>
internal sealed class RetentionClock(TimeProvider time)
{
    private readonly long _beganAt = time.GetUtcNow().ToUnixTimeMilliseconds();
    private readonly long _began = time.GetTimestamp();

    /// <summary>Milliseconds since 1970.</summary>
    public long Milliseconds => _beganAt + (long)time.GetElapsedTime(_began).TotalMilliseconds;
}

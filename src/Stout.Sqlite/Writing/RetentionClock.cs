namespace Stout.Sqlite.Writing;

/// <summary>
/// The clock of deleted headers. It starts at the wall clock's time, since the store keeps the times of deletions. It advances by the monotonic clock, by
/// which the handles that rely on those headers measure time too. Setting the wall clock forward therefore ends no retention.
/// </summary>
internal sealed class RetentionClock(TimeProvider time)
{
    private readonly long _beganAt = time.GetUtcNow().ToUnixTimeMilliseconds();
    private readonly long _began = time.GetTimestamp();

    /// <summary>Milliseconds since 1970.</summary>
    public long Milliseconds => _beganAt + (long)time.GetElapsedTime(_began).TotalMilliseconds;
}

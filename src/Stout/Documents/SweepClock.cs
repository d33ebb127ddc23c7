namespace Stout.Documents;

/// <summary>
/// The clock by which sweeps judge. It compares the wall clock with the monotonic clock, and takes the earlier of the times that two successive sweeps have found.
/// So a jump ahead counts only if it lasts from one sweep to the next; a jump back counts at once.
/// </summary>
internal sealed class SweepClock(TimeProvider time)
{
    private readonly long _start = time.GetTimestamp();

    /// <summary>The wall clock's time at the start, computed from its latest reading.</summary>
    private DateTimeOffset _wallAtStart = time.GetUtcNow();

    /// <summary>Returns the time by which a sweep that begins now judges.</summary>
    public DateTimeOffset Next()
    {
        var elapsed = time.GetElapsedTime(_start);
        var (before, now) = (_wallAtStart, time.GetUtcNow() - elapsed);
        _wallAtStart = now;
        return (before < now ? before : now) + elapsed;
    }
}

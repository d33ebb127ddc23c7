namespace Stout.Documents;

/// <summary>
/// The clock by which sweeps decide whether objects have expired. Each sweep computes the difference between the wall clock and the monotonic clock. A
/// sweep uses the smaller of its own difference and that of the previous sweep. So if the wall clock jumps ahead, a sweep follows it only if the jump
/// lasts until the next sweep. Sweeps follow a jump back at once.
/// </summary>
internal sealed class SweepClock(TimeProvider time)
{
    private readonly long _start = time.GetTimestamp();

    /// <summary>The difference between the two clocks at the previous sweep: the wall clock's time at the start, as that sweep computed it.</summary>
    private DateTimeOffset _wallAtStart = time.GetUtcNow();

    /// <summary>Returns the time with which a sweep that begins now compares expiries.</summary>
    public DateTimeOffset Next()
    {
        var elapsed = time.GetElapsedTime(_start);
        var (before, now) = (_wallAtStart, time.GetUtcNow() - elapsed);
        _wallAtStart = now;
        return (before < now ? before : now) + elapsed;
    }
}

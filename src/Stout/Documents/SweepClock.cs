namespace Stout.Documents;

/// <summary>
/// The clock by which sweeps decide whether objects have expired. Each sweep computes the difference between the wall clock and the monotonic clock. The
/// smaller of the differences of two successive sweeps counts. So a jump ahead of the wall clock has an effect only if it lasts from one sweep to the next. A
/// jump back has an effect at once.
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

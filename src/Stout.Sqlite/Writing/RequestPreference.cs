namespace Stout.Sqlite.Writing;

/// <summary>
/// Decides whether one write request in flight serves the file best, or two with half of the keys each. With one, the file is idle while the answered
/// callers make their next changes. With two it is not, but the same keys need two commits.
/// </summary>
internal sealed class RequestPreference
{
    // Callers and lane take about twice as long for their changes as the file takes to apply them (8 to 512 callers, two processors). With 2.5 two
    // requests are used by 32 callers and more on a disk that syncs in 0.1 ms, where they were faster. On one that needs 2 ms they were slower.
    private const double CallersTime = 2.5;

    private const double Weight = 1.0 / 8;

    private double _applyTime;
    private double _commitTime;
    private volatile int _inFlight = 1;

    /// <summary>1 or 2. Thread-safe.</summary>
    public int InFlight => _inFlight;

    /// <summary>Adds a transaction.</summary>
    /// <param name="applying">The time that its statements took.</param>
    /// <param name="committing">The time that its commit took, with the sync.</param>
    public void Add(TimeSpan applying, TimeSpan committing)
    {
        _applyTime += Weight * (applying.TotalMilliseconds - _applyTime);
        _commitTime += Weight * (committing.TotalMilliseconds - _commitTime);
        _inFlight = CallersTime * _inFlight * _applyTime > _commitTime ? 2 : 1;
    }
}

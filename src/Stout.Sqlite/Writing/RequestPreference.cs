namespace Stout.Sqlite.Writing;

/// <summary>
/// Decides whether one write request in flight serves the file best, or two with half of the keys each. With one, the file is idle while the answered
/// callers make their next changes. With two it is not, but the same keys need two commits.
/// </summary>
internal sealed class RequestPreference
{
    // The assumed time of the callers and the lane for their changes, as a multiple of the file's time to apply them. Measured: about 2 (8 to 512 callers,
    // two processors). With 2.5 and a disk that syncs in 0.1 ms, 32 callers or more cause two requests, which were faster there. On a disk that syncs in
    // 2 ms, two requests were slower than one.
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
        // With two requests a transaction has half of the keys, so the time of its statements counts twice.
        _inFlight = CallersTime * _inFlight * _applyTime > _commitTime ? 2 : 1;
    }
}

namespace Stout.Sqlite.Writing;

/// <summary>
/// Decides whether one write request in flight serves the file best, or two with half of the keys each. With one, the file is idle while the answered
/// callers make their next changes. With two, the file has work meanwhile, but the same keys need two commits.
/// </summary>
internal sealed class RequestPreference
{
    // The assumed time from an answer until callers and lane have made the next changes. Its unit is the time in which the file applies such changes.
    // Measured: about 2, with 8 to 512 callers on two processors. With 2.5 and a disk that syncs in 0.1 ms, 32 callers or more lead to two requests, which
    // were faster than one there. On a disk that syncs in 2 ms, two requests were slower than one.
    private const double CallersTime = 2.5;

    private const double Weight = 1.0 / 8;

    private double _applyTime;
    private double _commitTime;
    private volatile int _inFlight = 1;

    /// <summary>The best number of write requests in flight: 1 or 2. Thread-safe.</summary>
    public int InFlight => _inFlight;

    /// <summary>Records the times of a committed transaction.</summary>
    /// <param name="applying">The time that the transaction's statements took.</param>
    /// <param name="committing">The time that the transaction's commit took, with the sync.</param>
    public void Add(TimeSpan applying, TimeSpan committing)
    {
        _applyTime += Weight * (applying.TotalMilliseconds - _applyTime);
        _commitTime += Weight * (committing.TotalMilliseconds - _commitTime);
        // With two requests a transaction has half of the keys, so the time of its statements counts twice.
        _inFlight = CallersTime * _inFlight * _applyTime > _commitTime ? 2 : 1;
    }
}

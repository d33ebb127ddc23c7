namespace Stout.Pacing;

/// <summary>
/// Collects answered requests until they suffice for a decision (the paper, section 3.2.1). Decisions are frequent while the store is fast and rare
/// while it is slow.
/// </summary>
internal struct SelfClock(int minRequests, double minLatencyFraction)
{
    private double _startedAt;
    private long _requests;
    private double _bytes;
    private double _latencies;
    private double _intervals;
    private bool _somethingFailed;

    /// <summary>Whether the window has failed requests and no successful one.</summary>
    public readonly bool NothingGotThrough => _somethingFailed && _bytes == 0;

    public readonly Measurement Measurement => new(_bytes, _latencies / _requests, _intervals / _requests);

    public void Add(double bytes, double latency, double interval)
    {
        _requests++;
        _bytes += bytes;
        _latencies += latency;
        _intervals += interval;
    }

    public void AddFailed(double latency, double interval)
    {
        Add(0, latency, interval);
        _somethingFailed = true;
    }

    public readonly bool IsDue(double now)
        => _requests >= minRequests && now - _startedAt >= minLatencyFraction * (_latencies / _requests);

    public void Restart(double now)
    {
        this = new SelfClock(minRequests, minLatencyFraction) { _startedAt = now };
    }
}

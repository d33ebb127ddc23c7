namespace Stout.Pacing;

/// <summary>Latency of a write request without a queue, by its keys. It rests on the lowest means of blocks of requests: a single low
/// answer is noise. Times are in milliseconds.</summary>
internal sealed class BaseLatency
{
    public const int BlockRequests = 8;            // requests whose mean is one measurement
    private const double BlockTime = 50;           // bounds a block's length from below: a short burst is no measurement
    private const double BlockLatencies = 3;       // latencies that a block lasts at least, so that one queue is not all it sees
    private const double Memory = 3_600_000;       // bounds how long a base latency outlives a store that became slower

    private LowestBlock _quickest = new(), _cheapest = new();
    private (double Start, double Latencies, double Keys, int Count) _block;
    private double _perKeyCost, _meanLatency;

    public double MeanKeys { get; private set; }

    /// <summary>Keys whose cost is so many times the latency of the quickest requests.</summary>
    public double KeysOfFullRequest(double times) =>
        _perKeyCost > 0 ? Math.Clamp(times * _quickest.Best.Value / _perKeyCost, 1, int.MaxValue) : int.MaxValue;

    /// <summary>Latency of a request of so many keys.</summary>
    public double Of(double keys)
    {
        var byLine = _quickest.Best.Value + (_perKeyCost * Math.Max(0, keys - _quickest.Best.Keys));
        return Math.Max(byLine, _cheapest.Best.Value * keys);
    }

    /// <summary>Adds an answered request. Where the interval changes with every two answers, a brief block of two must suffice.</summary>
    public void Add(double now, double latency, int keys, bool isBrief, double interval)
    {
        var isFirst = MeanKeys == 0;
        MeanKeys += isFirst ? keys : (keys - MeanKeys) / (2 * BlockRequests);
        _meanLatency += isFirst ? latency : (latency - _meanLatency) / BlockRequests;
        _block = (_block.Start, _block.Latencies + latency, _block.Keys + keys, _block.Count + 1);
        // Where the interval is long against the latency, noise is small against the target, and two requests suffice too.
        var requests = isBrief ? 2 : Math.Clamp(2 * BlockRequests * _meanLatency / interval, 2, BlockRequests);
        var length = Math.Max(isBrief ? 0 : BlockTime, BlockLatencies * _meanLatency);
        if (isFirst || (_block.Count >= requests && now - _block.Start >= length))
            EndBlock(now);
    }

    private void EndBlock(double now)
    {
        var (mean, size) = (_block.Latencies / _block.Count, _block.Keys / _block.Count);
        _quickest.Add(now, mean, size);
        _cheapest.Add(now, mean / size, size);
        var (few, many) = (_quickest.Best, _cheapest.Best);
        _perKeyCost = many.Keys > few.Keys ? Math.Max(0, (many.Value * many.Keys) - few.Value) / (many.Keys - few.Keys) : 0;
        _block = (now, 0, 0, 0);
    }

    /// <summary>The lowest block of the last half to whole memory.</summary>
    private struct LowestBlock()
    {
        private static readonly (double Value, double Keys) _none = (double.PositiveInfinity, 0);
        private (double Value, double Keys) _before = _none, _current = _none;
        private double _since = double.NegativeInfinity;

        public readonly (double Value, double Keys) Best => _before.Value < _current.Value ? _before : _current;

        public void Add(double now, double value, double keys)
        {
            if (now - _since >= Memory / 2)
                (_before, _current, _since) = (now - _since < Memory ? _current : _none, _none, now);
            if (value < _current.Value)
                _current = (value, keys);
        }
    }
}

namespace Stout.Pacing;

/// <summary>
/// What a request would take if the store had no queue: the baseline that queueing delay is counted from. Two memories, because each
/// is wrong alone:
/// <list type="bullet">
/// <item>The lowest <em>mean</em> of a few requests in the last six seconds. It counts in what every request has to bear: service
/// times that vary, half a log flush. But on a busy store even the lowest mean has a queue in it; taken by itself it rises with the
/// queue that it hides, and the law runs away.</item>
/// <item>The lowest <em>single</em> request of the last ten minutes. A queue that ever runs empty shows it, but it is too low for what
/// varies. The mean may lie above it by a factor at most. Ten minutes, for lanes that began in a jam may not see the store without a
/// queue for more than two; that the store has become another one meanwhile, <see cref="Elasticity"/> and <see cref="Search"/> find out sooner.</item>
/// </list>
/// </summary>
internal sealed class IdleLatency
{
    private const double MeansMemory = 6_000;
    private const double SinglesMemory = 600_000;

    // A block is at least two requests and three latencies long: with many in flight, neighbours share their fate and say little.
    private const int BlockRequests = 2;
    private const double BlockLatencies = 3;

    // What every request has to bear (variation, waiting for a flush) is less than the bare minimum itself on stores we know.
    private const double MeanOverLowest = 1.8;

    // In the mean requests take no more than so many times the least: who waits for half a log's flush, and then for one, comes to that.
    private const double UsualOverLowest = 1.5;

    // The share of slope × size that a quick request may stay below.
    private const double QuickShare = 0.7;

    private readonly RecentMinimum _means = new(MeansMemory);
    private readonly RecentMinimum _singles = new(SinglesMemory);
    private readonly SizeCost _cost = new(SinglesMemory);
    private readonly IdleVariation _variation = new();
    private Ewma _latency = new(1.0 / 8);
    private double _blockStartedAt;
    private double _blockLatency;
    private double _blockSize;
    private int _blockCount;

    /// <summary>The recent mean size of a request, in keys.</summary>
    public double MeanSize => _cost.MeanSize;

    /// <summary>What one more key in a request takes, in milliseconds; 0 where nothing shows.</summary>
    public double PerKey => _cost.Slope;

    /// <param name="now">When the answer came, in milliseconds.</param>
    /// <param name="latency">What it took, in milliseconds.</param>
    /// <param name="size">The request's keys.</param>
    /// <param name="isIdle">Whether the store was as good as idle.</param>
    public void Add(double now, double latency, double size, bool isIdle = false)
    {
        _cost.Add(now, latency, size);
        _latency.Add(latency);
        _singles.Add(now, latency, size, _cost.Slope);

        _blockLatency += latency;
        _blockSize += size;
        _blockCount++;
        if (_blockCount >= BlockRequests && now - _blockStartedAt >= BlockLatencies * _latency.Value)
        {
            _means.Add(now, _blockLatency / _blockCount, _blockSize / _blockCount, _cost.Slope);
            (_blockStartedAt, _blockLatency, _blockSize, _blockCount) = (now, 0, 0, 0);
        }
        else
        {
            _means.Forget(now);
        }

        if (isIdle)
            _variation.Add(now, latency, size);
        _variation.Update(now, this);
    }

    /// <summary>The store is no longer the one it was: what was learned of it misleads.</summary>
    public void Forget(double now)
    {
        _cost.Forget();
        _latency.Reset();
        _singles.Clear();
        _means.Clear();
        _variation.Forget();
        (_blockStartedAt, _blockLatency, _blockSize, _blockCount) = (now, 0, 0, 0);
    }

    /// <summary>The idle latency of a request of <paramref name="size"/> keys, in milliseconds. Something must have been added before.</summary>
    public double Of(double size)
    {
        var lowest = Lowest(size);
        var mean = Math.Max(_means.At(size, _cost.Slope), lowest);
        return Math.Max(Math.Min(mean, MeanOverLowest * lowest), _variation.OverLowest * lowest);
    }

    /// <summary>
    /// What a request of <paramref name="size"/> keys usually takes on the idle store, in milliseconds: <see cref="Of"/>, no more than 1.5 times the least, and no
    /// less than one key's time (the least, or what one takes alone if that is longer) with the price of all keys, which wins. Where requests were much larger before,
    /// <see cref="Of"/> may be far below the mean, and where they vary above it: a queue is seen soon and variation is not taken for one, but a number of requests must
    /// not follow from either. Something must have been added before.
    /// </summary>
    /// <param name="size">The request's keys.</param>
    /// <param name="oneKey">What one key takes that has none of the lane's own in its way, in milliseconds, as far as that is known.</param>
    public double Usual(double size, double oneKey)
        => Math.Max(Math.Min(Of(size), UsualOverLowest * Lowest(size)), Math.Max(Lowest(1), oneKey) + (_cost.Slope * size));

    /// <summary>
    /// What a request of one key takes, over what one of <paramref name="size"/> keys takes: a longer interval could save no more than that. Above 0, at
    /// most 1. Something must have been added before.
    /// </summary>
    public double ShareOfOneKey(double size) => Lowest(1) / Lowest(size);

    /// <summary>The least that a request of <paramref name="size"/> keys takes, in milliseconds. Something must have been added before.</summary>
    public double Lowest(double size)
    {
        var slope = _cost.Slope;
        // No request is quicker than the quickest of any size, nor much quicker than its keys' price: it bounds what extrapolates far.
        var floor = Math.Max(_cost.Quickest, QuickShare * slope * size);
        return Math.Max(_singles.At(size, slope), floor);
    }
}

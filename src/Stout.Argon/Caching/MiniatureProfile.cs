namespace Stout.Argon.Caching;

/// <summary>
/// The profile of any policy by miniature simulation (Waldspurger and others, ATC 2017): scaled-down caches of several sizes process a spatial sample
/// of the references.
/// </summary>
internal sealed class MiniatureProfile : IServiceProfile
{
    private const int Sizes = 16;

    /// <summary>The number of blocks of the largest miniature cache. It bounds the memory of all miniatures to about 1 MiB.</summary>
    private const int Largest = 1792;

    private readonly MiniatureCache[] _caches = new MiniatureCache[Sizes];
    private readonly int[] _sizes = new int[Sizes];
    private readonly ulong _threshold;
    private readonly double _rate;
    private readonly ulong _seed;
    private double _references;
    private double _total;
    private double _sampled;
    private double _unsaved;

    /// <param name="kind">The policy.</param>
    /// <param name="cache">The largest cache size for which the profile is asked, in blocks.</param>
    /// <param name="seed">Selects the sample.</param>
    /// <param name="largest">The number of blocks of the largest miniature cache.</param>
    public MiniatureProfile(EvictionKind kind, int cache, int seed, int largest = Largest)
    {
        _rate = Math.Min(1, (double)largest / cache);
        _threshold = _rate >= 1 ? ulong.MaxValue : (ulong)(_rate * ulong.MaxValue);
        _seed = BlockKey.Hash(seed);
        for (var i = 0; i < Sizes; i++)
        {
            _sizes[i] = Math.Max(1, (int)((long)cache * (i + 1) / Sizes));
            _caches[i] = new MiniatureCache(kind, Math.Max(1, (int)Math.Round(_sizes[i] * _rate)));
        }
    }

    public double MeanCost => _references == 0 ? 0 : (_total + _unsaved) / _references;

    public void Reference(long key, bool write, int flushes, double cost = 1)
    {
        _references++;
        _total += cost;
        if (BlockKey.Hash(key ^ (long)_seed) > _threshold)
            return;
        _sampled += cost;
        foreach (var cache in _caches)
            cache.Reference(key, write, flushes, cost);
    }

    public void Spend(double cost) => _unsaved += cost;

    public double Absorbed(int blocks)
    {
        if (_sampled == 0 || blocks <= 0)
            return 0;
        var i = Array.BinarySearch(_sizes, blocks);
        if (i >= 0)
            return At(i);
        var above = ~i;
        if (above == Sizes)
            return At(Sizes - 1);
        var (low, lowValue) = above == 0 ? (0, 0.0) : (_sizes[above - 1], At(above - 1));
        return lowValue + ((At(above) - lowValue) * (blocks - low) / (_sizes[above] - low));
    }

    public void ResetCounts()
    {
        (_references, _total, _sampled, _unsaved) = (0, 0, 0, 0);
        foreach (var cache in _caches)
            cache.Absorbed = 0;
    }

    public void Age()
    {
        (_references, _total, _sampled, _unsaved) = (_references / 2, _total / 2, _sampled / 2, _unsaved / 2);
        foreach (var cache in _caches)
            cache.Absorbed /= 2;
    }

    // The adjustment of SHARDS: references that the sample lacks count as hits, and surplus ones are subtracted from the hits.
    private double At(int i)
    {
        var expected = _total * _rate;
        return Math.Clamp((_caches[i].Absorbed + expected - _sampled) / expected, 0, 1) * _total / (_total + _unsaved);
    }
}

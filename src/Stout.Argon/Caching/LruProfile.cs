using System.Runtime.InteropServices;

namespace Stout.Argon.Caching;

/// <summary>
/// The profile of an LRU cache for all sizes in one pass, by stack distances (Mattson 1970). It is exact, or uses a bounded spatial sample with the
/// adjustment of SHARDS (Waldspurger and others, FAST 2015).
/// </summary>
/// <remarks>
/// A cache larger than a read's distance absorbs the read. It absorbs an overwrite if the cache is larger than every distance since the last write,
/// and the object was not flushed in between.
/// </remarks>
internal sealed class LruProfile : IServiceProfile
{
    private const int InitialPlaces = 1 << 8;

    private readonly Dictionary<long, StackEntry> _blocks = [];
    private readonly PriorityQueue<long, ulong>? _largestHash;
    private readonly int _mostSamples;
    private readonly int _width;
    private Fenwick<double> _counts;
    private long[] _keys = new long[InitialPlaces];
    private Fenwick<int> _tree = new(InitialPlaces);
    private int _place;
    private ulong _threshold = ulong.MaxValue;
    private double _references;
    private double _total;
    private double _sampled;
    private double _unsaved;

    private LruProfile(int mostSamples, int width, int buckets)
    {
        (_mostSamples, _width, _counts) = (mostSamples, width, new Fenwick<double>(buckets));
        if (mostSamples < int.MaxValue)
            _largestHash = new PriorityQueue<long, ulong>(Comparer<ulong>.Create((a, b) => b.CompareTo(a)));
    }

    private double Rate => _threshold == ulong.MaxValue ? 1 : _threshold / (double)ulong.MaxValue;

    /// <summary>A profile of all blocks, for every cache size.</summary>
    public static LruProfile Exact() => new(int.MaxValue, 1, 1024);

    /// <summary>A profile of a sample with bounded memory (1 MiB).</summary>
    /// <param name="cache">The largest cache size for which the profile is asked, in blocks.</param>
    /// <param name="samples">The largest number of sampled blocks.</param>
    public static LruProfile Sampled(int cache, int samples = 8192)
    {
        var width = Math.Max(1, cache / 2048);
        return new LruProfile(samples, width, (cache / width) + 2);
    }

    public double MeanCost => _references == 0 ? 0 : (_total + _unsaved) / _references;

    public void Reference(long key, bool write, int flushes, double cost = 1)
    {
        _references++;
        _total += cost;
        var hash = BlockKey.Hash(key);
        if (hash > _threshold)
            return;
        _sampled += cost;
        if (_place == _keys.Length)
            Renumber();
        ref var entry = ref CollectionsMarshal.GetValueRefOrAddDefault(_blocks, key, out var known);
        if (known)
        {
            // The stack distance: the number of other blocks that were referenced since this block's last reference.
            var distance = (int)((_blocks.Count - _tree.Sum(entry.Place)) / Rate);
            _tree.Add(entry.Place, -1);
            _keys[entry.Place] = -1;
            entry.SinceWrite = Math.Max(entry.SinceWrite, distance);
            if (!write)
                Note(distance, cost);
            else if (entry.Flushes == flushes)
                Note(entry.SinceWrite, cost);
        }
        else
        {
            entry.Flushes = -1;
        }

        if (write)
            (entry.Flushes, entry.SinceWrite) = (flushes, 0);
        entry.Place = _place;
        _keys[_place] = key;
        _tree.Add(_place, 1);
        _place++;
        if (known || _largestHash is null)
            return;
        _largestHash.Enqueue(key, hash);
        if (_blocks.Count > _mostSamples)
            Lower();
    }

    public void Spend(double cost) => _unsaved += cost;

    public double Absorbed(int blocks)
    {
        if (_total == 0)
            return 0;
        // SHARDS' adjustment: the expected weight of the sampled references is rate × that of all references. The difference from the actual weight counts
        // as hits in a cache of the smallest size.
        var expected = _total * Rate;
        var most = Math.Min((blocks + _width - 1) / _width, _counts.Size);
        var hits = expected - _sampled + _counts.Sum(most - 1);
        return blocks == 0 ? 0 : Math.Clamp(hits / expected, 0, 1) * _total / (_total + _unsaved);
    }

    public void ResetCounts()
    {
        _counts.Clear();
        _references = _total = _sampled = _unsaved = 0;
    }

    public void Age()
    {
        (_references, _total, _sampled, _unsaved) = (_references / 2, _total / 2, _sampled / 2, _unsaved / 2);
        _counts.Scale(0.5);
    }

    // Counts a reference that caches of more than `distance` blocks absorb.
    private void Note(int distance, double cost)
    {
        var bucket = distance / _width;
        if (bucket >= _counts.Size)
        {
            if (_largestHash is not null)
                return;
            Grow(bucket + 1);
        }

        _counts.Add(bucket, cost);
    }

    private void Grow(int buckets)
    {
        var old = _counts;
        _counts = new Fenwick<double>(Math.Max(buckets, 2 * old.Size));
        for (var i = 0; i < old.Size; i++)
            _counts.Add(i, old.Sum(i) - old.Sum(i - 1));
    }

    // A full sample drops the blocks with the largest hash, and scales the counts to the lower rate.
    private void Lower()
    {
        var before = Rate;
        _largestHash!.TryPeek(out _, out var largest);
        while (_largestHash.TryPeek(out var key, out var hash) && hash == largest)
        {
            _largestHash.Dequeue();
            _blocks.Remove(key, out var entry);
            _tree.Add(entry.Place, -1);
            _keys[entry.Place] = -1;
        }

        _threshold = largest - 1;
        var scale = Rate / before;
        _sampled *= scale;
        _counts.Scale(scale);
    }

    // Positions grow with time, so used positions are compacted from time to time.
    private void Renumber()
    {
        var old = _keys;
        if (2 * _blocks.Count > _keys.Length)
        {
            _keys = new long[2 * _keys.Length];
            _tree = new Fenwick<int>(_keys.Length);
        }
        else
        {
            _tree.Clear();
        }

        var end = _place;
        _place = 0;
        for (var i = 0; i < end; i++)
        {
            var key = old[i];
            if (key < 0)
                continue;
            CollectionsMarshal.GetValueRefOrNullRef(_blocks, key).Place = _place;
            _keys[_place] = key;
            _tree.Add(_place++, 1);
        }
    }
}

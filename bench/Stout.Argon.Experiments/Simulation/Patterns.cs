using Stout.Argon.Engine;

namespace Stout.Argon.Experiments.Simulation;

/// <summary>Reads or writes one object from its beginning to its end, over and over.</summary>
internal sealed class Streaming(long blocks, int request = 8, bool write = false) : IPattern
{
    private long _next;

    public IReadOnlyList<long> Objects { get; } = [blocks];

    public Operation Next(Random random)
    {
        if (_next + request > blocks)
            _next = 0;
        _next += request;
        return new(write ? RequestKind.Write : RequestKind.Read, 0, _next - request, request);
    }
}

/// <summary>Reads and writes single blocks of one object, drawn uniformly from <c>used</c> blocks that are spread over the object.</summary>
internal sealed class UniformlyRandom(long blocks, long used, double writes = 0) : IPattern
{
    private readonly long _stride = Math.Max(1, blocks / used);

    public IReadOnlyList<long> Objects { get; } = [blocks];

    public Operation Next(Random random)
    {
        var write = writes > 0 && random.NextDouble() < writes;
        return new(write ? RequestKind.Write : RequestKind.Read, 0, random.NextInt64(used) * _stride, 1);
    }
}

/// <summary>Reads the blocks of one object in a random order, each once before any is repeated, so that no cache absorbs the reads.</summary>
internal sealed class NeverAgain(long blocks) : IPattern
{
    private int[]? _order;
    private int _next;

    public IReadOnlyList<long> Objects { get; } = [blocks];

    public Operation Next(Random random)
    {
        if (_order is null)
        {
            _order = [.. Enumerable.Range(0, (int)blocks)];
            random.Shuffle(_order);
        }

        return new(RequestKind.Read, 0, _order[_next++ % _order.Length], 1);
    }
}

/// <summary>A non-linear profile like TPC-C's: nine of ten references go to three small working sets, the others to the whole object.</summary>
/// <param name="blocks">The size of the object.</param>
/// <param name="hot">The blocks of the largest working set.</param>
/// <param name="writes">The fraction of writes.</param>
/// <param name="flushEvery">The requests between two flushes; 0 without flushes.</param>
internal sealed class NestedSets(long blocks, long hot, double writes = 0, int flushEvery = 0) : IPattern
{
    private static readonly (double Probability, double Size)[] s_sets = [(0.45, 0.1), (0.30, 0.4), (0.15, 1)];
    private readonly long _stride = Math.Max(1, blocks / hot);
    private int _requests;

    public IReadOnlyList<long> Objects { get; } = [blocks];

    public Operation Next(Random random)
    {
        if (flushEvery > 0 && ++_requests % flushEvery == 0)
            return new(RequestKind.Flush, 0, 0, 0);
        var chance = random.NextDouble();
        var block = random.NextInt64(blocks);
        foreach (var (probability, size) in s_sets)
        {
            chance -= probability;
            if (chance >= 0)
                continue;
            block = random.NextInt64((long)Math.Max(1, size * hot)) * _stride;
            break;
        }

        var write = writes > 0 && random.NextDouble() < writes;
        return new(write ? RequestKind.Write : RequestKind.Read, 0, block, 1);
    }
}

/// <summary>A commit log: writes the blocks of one object in order, and flushes each.</summary>
internal sealed class CommitLog(long blocks) : IPattern
{
    private long _requests;

    public IReadOnlyList<long> Objects { get; } = [blocks];

    public Operation Next(Random random)
    {
        var request = _requests++;
        return request % 2 == 1 ? new(RequestKind.Flush, 0, 0, 0) : new(RequestKind.Write, 0, request / 2 % Objects[0], 1);
    }
}

/// <summary>Reads a small set of blocks at random, and sometimes scans new blocks of the object in sequence.</summary>
/// <param name="blocks">The size of the object.</param>
/// <param name="loop">The blocks of the set, at the object's beginning.</param>
/// <param name="reads">The reads of the set between two scans.</param>
/// <param name="scan">The blocks of a scan, which begins where the last one ended.</param>
internal sealed class ScannedLoop(long blocks, long loop, int reads, int scan) : IPattern
{
    private const int Request = 4;
    private long _scanned;
    private int _done;

    public IReadOnlyList<long> Objects { get; } = [blocks];

    public Operation Next(Random random)
    {
        if (_done++ < reads)
            return new(RequestKind.Read, 0, random.NextInt64(loop), 1);
        if (_done >= reads + (scan / Request))
            _done = 0;
        if (loop + _scanned + Request > blocks)
            _scanned = 0;
        _scanned += Request;
        return new(RequestKind.Read, 0, loop + _scanned - Request, Request);
    }
}

/// <summary>Nine of ten reads go to a hot set, which moves to other blocks from time to time.</summary>
/// <param name="blocks">The size of the object.</param>
/// <param name="hot">The blocks of the hot set.</param>
/// <param name="reads">The reads between two moves.</param>
internal sealed class ShiftingSet(long blocks, long hot, int reads) : IPattern
{
    private readonly long _stride = Math.Max(1, blocks / hot);
    private long _offset;
    private int _done;

    public IReadOnlyList<long> Objects { get; } = [blocks];

    public Operation Next(Random random)
    {
        if (_done++ % reads == 0)
            _offset = random.NextInt64(_stride);
        return new(RequestKind.Read, 0, random.Next(10) == 0 ? random.NextInt64(blocks) : (random.NextInt64(hot) * _stride) + _offset, 1);
    }
}

/// <summary>Reads blocks whose popularity falls with their rank (Zipf with an exponent near 1).</summary>
/// <param name="blocks">The size of the object.</param>
/// <param name="used">The number of blocks that are read.</param>
internal sealed class Popular(long blocks, long used) : IPattern
{
    private readonly long _stride = Math.Max(1, blocks / used);

    public IReadOnlyList<long> Objects { get; } = [blocks];

    public Operation Next(Random random) => new(RequestKind.Read, 0, Math.Min(used - 1, (long)Math.Pow(used, random.NextDouble()) - 1) * _stride, 1);
}

/// <summary>Takes the next request of each of several patterns in turn. Each pattern has its own objects.</summary>
internal sealed class InTurn(IReadOnlyList<IPattern> patterns) : IPattern
{
    private int _turn;

    public IReadOnlyList<long> Objects { get; } = [.. patterns.SelectMany(pattern => pattern.Objects)];

    public Operation Next(Random random)
    {
        var turn = _turn++ % patterns.Count;
        var operation = patterns[turn].Next(random);
        return operation with { Object = operation.Object + patterns.Take(turn).Sum(pattern => pattern.Objects.Count) };
    }
}

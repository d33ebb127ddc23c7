using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>
/// Random requests to the core with a device that delays, reorders, fails and tears requests. At a power cut it keeps any subset of the unsynced writes.
/// A block's content is one number: the version that was written. Callers copy data some steps after their request is done, as threads do.
/// </summary>
internal sealed class FaultyRun
{
    private const int Blocks = 150;
    private const int MostHeld = 10;
    private readonly Random _random;
    private readonly ArgonCore _core;
    private readonly ObjectState _target;
    private readonly List<ServiceState> _services = [];
    private readonly int[] _frames;
    private readonly List<DiskIo> _device = [];
    private readonly List<Request> _held = [];
    private readonly int[] _visible = new int[Blocks];
    private readonly int[] _durable = new int[Blocks];
    private readonly List<(long Block, int Version)> _unsynced = [];
    private readonly Dictionary<DiskIo, int[]> _sent = [];
    private readonly Dictionary<Request, (int[] Versions, bool Damaged)> _flushes = [];
    private readonly Dictionary<Request, int> _writes = [];
    private readonly int[] _flushed = new int[Blocks];
    private readonly double _failures;
    private TimeSpan _now;
    private int _version;
    private int _asked;
    private bool _damaged;

    public FaultyRun(int seed, bool failures)
    {
        _random = new Random(seed);
        _failures = failures ? 0.01 : 0;
        // The cache is so small that blocks are evicted and written all the time.
        const int Frames = 3 * ArgonCore.LeastPartition;
        _core = new ArgonCore(new CoreSettings { Frames = Frames, Trial = TimeSpan.FromMilliseconds(200), LargestIo = 8 * 4096, Ceiling = 16 * 4096 });
        _frames = new int[Frames];
        _core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(2), 100e6));
        _services.Add(_core.AddService(1, _now));
        _services.Add(_core.AddService(2, _now));
        _target = _core.Open(1, 0, Blocks * 4096L);
    }

    public int Flushed { get; private set; }

    public int Failed { get; private set; }

    public int Evicted { get; private set; }

    /// <summary>Whether the device acknowledges syncs without syncing: a fault that a test plants.</summary>
    public bool SyncLies { get; init; }

    /// <summary>Runs a number of steps, cuts the power, and returns a description of the first violation; null if there is no violation.</summary>
    public string? Run(int steps)
    {
        for (var step = 0; step < steps; step++)
        {
            _now += TimeSpan.FromMicroseconds(_random.Next(2000));
            string? wrong = null;
            if (_held.Count > MostHeld || (_held.Count > 0 && _random.Next(3) == 0))
                wrong = ReleaseOne();
            else if (_device.Count > 0 && _random.Next(5) < 3)
                EndOne();
            else
                Ask();
            if (_core.Wake is { } wake && wake <= _now)
                _core.Tick(_now);
            Carry();
            if (wrong is not null)
                return $"step {step}: {wrong}";
        }

        if (_random.Next(2) == 0 && Drain() is { } stuck)
            return stuck;
        foreach (var (block, version) in _unsynced)
        {
            if (_random.Next(2) == 0)
                _durable[block] = version;
        }

        for (var block = 0; block < Blocks; block++)
        {
            if (_durable[block] < _flushed[block])
                return $"block {block} is {_durable[block]} after the power cut; {_flushed[block]} was flushed";
        }

        return null;
    }

    // Checks that all requests are answered when no new ones come.
    private string? Drain()
    {
        for (var step = 0; _asked > 0; step++)
        {
            if (step > 10_000)
                return $"{_asked} requests are never answered";
            _now += TimeSpan.FromMilliseconds(1);
            if (_device.Count > 0)
                EndOne();
            else if (_held.Count > 0 && ReleaseOne() is { } wrong)
                return wrong;
            _core.Tick(_now);
            Carry();
        }

        return null;
    }

    private void Ask()
    {
        _asked++;
        var service = _services[_random.Next(2)];
        var first = _random.Next(Blocks);
        var most = _random.Next(4) == 0 ? Request.MaxBlocks : 8;
        var count = _random.Next(1, Math.Min(most, Blocks - first) + 1);
        var what = _random.Next(10);
        if (what < 5)
        {
            _writes.Add(_core.Write(service, _target, first, count, _random.Next(4) == 0, _random.Next(4) == 0, (first + count) * 4096L, _now), ++_version);
        }
        else if (what < 9)
        {
            _core.Read(service, _target, first, count, _now);
        }
        else
        {
            var versions = (int[])_visible.Clone();
            var request = _core.Flush(service, _target, _now);
            _flushes[request] = (versions, _damaged);
        }
    }

    private void EndOne()
    {
        var io = _device[_random.Next(_device.Count)];
        _device.Remove(io);
        var fails = _random.NextDouble() < _failures;
        if (io.Kind == DiskIoKind.Read)
        {
            for (var i = 0; i < io.Frames.Count; i++)
                _frames[io.Frames[i]] = fails ? -1 : Stored(io.First + i);
        }
        else if (io.Kind == DiskIoKind.Write)
        {
            var sent = _sent[io];
            _sent.Remove(io);
            Evicted++;
            for (var i = 0; i < io.Frames.Count; i++)
            {
                if (_frames[io.Frames[i]] != sent[i])
                    throw new InvalidOperationException($"block {io.First + i} was changed while the device read it");
                // A failed write leaves some of its blocks on the device.
                if (!fails || _random.Next(2) == 0)
                    _unsynced.Add((io.First + i, sent[i]));
            }
        }
        else if (!fails && !SyncLies)
        {
            foreach (var (block, version) in _unsynced)
                _durable[block] = version;
            _unsynced.Clear();
        }

        if (fails && io.Kind != DiskIoKind.Read)
            _damaged = true;
        _core.IoDone(io, fails ? new IOException("planted") : null, _now);
    }

    private void Carry()
    {
        while (_core.Issued.Count > 0 || _core.Completed.Count > 0)
        {
            foreach (var io in _core.Issued)
            {
                _device.Add(io);
                if (io.Kind == DiskIoKind.Write)
                    _sent[io] = [.. io.Frames.Select(frame => _frames[frame])];
            }

            _core.Issued.Clear();
            _held.AddRange(_core.Completed);
            _core.Completed.Clear();
        }
    }

    // Lets a caller copy from or into the frames of a finished request, which must still belong to the request's blocks.
    private string? ReleaseOne()
    {
        var request = _held[_random.Next(_held.Count)];
        _held.Remove(request);
        var (kind, first, count, error) = (request.Kind, (int)request.First, request.Count, request.Error);
        if (kind == RequestKind.Read && error is null && !_damaged)
        {
            for (var i = 0; i < count; i++)
            {
                if (_frames[request.Frames[i]] != _visible[first + i])
                    return $"block {first + i} reads as {_frames[request.Frames[i]]}; {_visible[first + i]} was written";
            }
        }
        else if (kind == RequestKind.Write)
        {
            _writes.Remove(request, out var version);
            for (var i = 0; i < count && error is null; i++)
                _frames[request.Frames[i]] = _visible[first + i] = version;
        }
        else if (kind == RequestKind.Flush)
        {
            _flushes.Remove(request, out var asked);
            if (error is null && asked.Damaged)
                return "a flush of a broken object was answered as done";
            Failed += error is null ? 0 : 1;
            Flushed += error is null ? 1 : 0;
            for (var block = 0; block < Blocks && error is null; block++)
                _flushed[block] = Math.Max(_flushed[block], asked.Versions[block]);
        }

        _asked--;
        _core.Release(request, _now);
        return null;
    }

    private int Stored(long block)
    {
        for (var i = _unsynced.Count - 1; i >= 0; i--)
        {
            if (_unsynced[i].Block == block)
                return _unsynced[i].Version;
        }

        return _durable[block];
    }
}

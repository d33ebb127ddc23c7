using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>
/// Random requests of three services on two objects, with a device that delays, reorders, fails and tears requests, and is full at times. Objects are resized,
/// deleted, closed and opened again; services are removed; callers cancel. Callers copy data some steps after their request is done, as threads do.
/// </summary>
internal sealed partial class FaultyRun
{
    private const int MostHeld = 10;
    private static readonly InvalidOperationException s_ended = new("planted end");
    private static readonly OperationCanceledException s_canceled = new();
    private static readonly IOException s_full = new("planted full disk");
    private readonly Random _random;
    private readonly ArgonCore _core;
    private readonly List<ModelObject> _objects = [];
    private readonly List<ServiceState> _services = [];
    private readonly int[] _frames;
    private readonly List<DiskIo> _device = [];
    private readonly List<Request> _held = [];
    private readonly Dictionary<DiskIo, int[]> _sent = [];
    private readonly Dictionary<Request, Asked> _asked = [];
    private readonly double _failures;

    // Both objects together may have nearly all of their blocks, so the quota is exceeded at times.
    private readonly SpaceAccount _account = new() { Quota = 180 * 4096 };
    private TimeSpan _now;
    private int _version;
    private int _nextId = 1;
    private bool _removing;

    /// <param name="seed">The schedule.</param>
    /// <param name="failures">Whether device requests fail.</param>
    /// <param name="atOnce">Whether the services share the device at once; false for exclusive quanta.</param>
    public FaultyRun(int seed, bool failures, bool atOnce = false)
    {
        _random = new Random(seed);
        _failures = failures ? 0.01 : 0;
        // The cache is so small that blocks are evicted and written all the time.
        const int Frames = 5 * ArgonCore.LeastPartition;
        _core = new ArgonCore(new CoreSettings
        {
            Frames = Frames, Trial = TimeSpan.FromMilliseconds(200), LargestIo = 8 * 4096, Ceiling = 16 * 4096, WriteBackAfter = TimeSpan.FromMilliseconds(30 + _random.Next(100)),
        });
        _frames = new int[Frames];
        _core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(2), 100e6), atOnce);
        for (var weight = 1; weight <= 3; weight++)
            _services.Add(_core.AddService(weight, _now));
        for (var i = 0; i < 2; i++)
            _objects.Add(new ModelObject { Target = Opened(0) });
    }

    /// <summary>Counts the cases that the schedules reach, by name.</summary>
    public Dictionary<string, int> Reached { get; } = [];

    /// <summary>Whether the device acknowledges syncs without syncing: a fault that a test plants.</summary>
    public bool SyncLies { get; init; }

    /// <summary>Runs a number of steps, disposes in some runs, cuts the power, and returns a description of the first violation; null without one.</summary>
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
            if (_core.NextTick <= _now)
                _core.Tick(_now);
            Carry();
            if (wrong is not null)
                return $"step {step}: {wrong}";
        }

        return (_random.Next(2) == 0 ? DisposeAll() : null) ?? CutPower();
    }

    private string? CutPower()
    {
        // A resize whose request is done is on the disk, although its caller does not know yet.
        while (_held.Find(request => request.Kind == RequestKind.Resize) is { } resize)
        {
            if (Release(resize) is { } wrong)
                return wrong;
        }

        foreach (var model in _objects.Where(model => !model.Damaged))
        {
            model.File.LosePower(_random);
            if (model.Lost() is { } lost)
                return lost;
        }

        return null;
    }

    // Answers all requests, then flushes the unflushed objects, as the server's disposal does.
    private string? DisposeAll()
    {
        if (Drain() is { } stuck)
            return stuck;
        foreach (var model in _objects.Where(model => !model.Damaged && model.Target is { Broken: null, Unflushed: true }))
            Note(_core.Flush(_core.House, model.Target, _now), model);
        if (Drain() is { } wrong)
            return wrong;
        Reach("disposed");
        return _objects.Where(model => !model.Damaged).Select(model => model.Differs()).FirstOrDefault(differs => differs is not null);
    }

    // Checks that all requests are answered when no new ones come, and that the core has no request left.
    private string? Drain()
    {
        Carry();
        // An allocation whose request was canceled may still wait for its turn at the device.
        for (var step = 0; _asked.Count > 0 || _device.Count > 0 || _core.Running > 0 || _objects.Exists(model => model.Target.Allocation is not null); step++)
        {
            if (step > 10_000)
                return $"{_asked.Count} requests are never answered, {_core.Running} run";
            _now += TimeSpan.FromMilliseconds(1);
            if (_device.Count > 0)
                EndOne();
            else if (_held.Count > 0 && ReleaseOne() is { } wrong)
                return wrong;
            _core.Tick(_now);
            Carry();
        }

        var used = _objects.Sum(model => model.Target.Reserved);
        return _account.Used == used && used <= _account.Quota ? null : $"{used} bytes have space, {_account.Used} are counted";
    }

    private void Ask()
    {
        var service = _services[_random.Next(_services.Count)];
        var model = _objects[_random.Next(2)];
        var first = _random.Next(ModelObject.Blocks);
        var count = _random.Next(1, Math.Min(_random.Next(4) == 0 ? Request.MaxBlocks : 8, ModelObject.Blocks - first) + 1);
        switch (_random.Next(40))
        {
            case < 17:
                AskWrite(service, model, first, count);
                break;
            case < 29:
                var blocks = (int)Math.Min(count, model.Target.Blocks - first);
                if (blocks > 0)
                    Note(_core.Read(service, model.Target, first, blocks, _now), model);
                break;
            case < 33:
                Note(_core.Flush(service, model.Target, _now), model);
                break;
            case < 35:
                AskResize(service, model, _random.Next(ModelObject.Blocks) * 4096L);
                break;
            case 35:
                Note(_core.Allocate(service, model.Target, _random.Next(ModelObject.Blocks) * 4096L, _now), model);
                break;
            case 36:
                End(service, model, close: _random.Next(2) == 0);
                break;
            case 37 when !_removing:
                Replace(service);
                break;
            default:
                if (_asked.Keys.FirstOrDefault(request => !request.Done) is { } request && _asked[request].Purpose == Purpose.Call)
                    _core.Cancel(request, s_canceled, _now);
                break;
        }
    }

    private void AskWrite(ServiceState service, ModelObject model, int first, int count)
    {
        var end = (first + count) * 4096L;
        if (end > model.Target.Reserved)
            Note(_core.Allocate(service, model.Target, end, _now), model);
        else
            Note(_core.Write(service, model.Target, first, count, _random.Next(4) == 0, _random.Next(4) == 0, end, _now), model).Version = ++_version;
    }

    private void AskResize(ServiceState service, ModelObject model, long length)
    {
        if (length > model.Target.Reserved)
            Note(_core.Allocate(service, model.Target, length, _now), model);
        else
            Note(_core.Resize(service, model.Target, length, _now), model);
    }

    // Deletes an object, or closes it: a close flushes first. The object is opened again when its end is released.
    private void End(ServiceState service, ModelObject model, bool close)
    {
        if (model.Ending)
            return;
        model.Ending = true;
        if (close)
            Note(_core.Flush(service, model.Target, _now), model).Purpose = Purpose.Close;
        else
            Note(_core.Forget(service, model.Target, s_ended, _now), model).Purpose = Purpose.Delete;
    }

    // Removes a service without requests, and adds another one.
    private void Replace(ServiceState service)
    {
        if (_asked.Keys.Any(request => request.Service == service))
            return;
        _removing = true;
        _services.Remove(service);
        foreach (var model in _objects)
            model.Target.Leave(service);
        Note(_core.Remove(service, _now), _objects[0]).Purpose = Purpose.Remove;
    }

    private Asked Note(Request request, ModelObject model) => _asked[request] = new Asked(model, model.Target, model.State, model.Damaged);

    private ObjectState Opened(long length)
    {
        var target = _core.Open(_nextId++, 0, length);
        target.Reserved = (length + 4095) / 4096 * 4096;
        _account.Used += target.Reserved;
        target.Account = _account;
        return target;
    }

    private void Reach(string what) => Reached[what] = Reached.GetValueOrDefault(what) + 1;
}

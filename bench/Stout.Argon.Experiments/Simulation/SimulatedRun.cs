using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Experiments.Devices;

namespace Stout.Argon.Experiments.Simulation;

/// <summary>Drives the engine's own core over device models in virtual time. The same seed gives the same run.</summary>
internal sealed class SimulatedRun
{
    // The least distance between the beginnings of two objects on a disk, in bytes. It is a multiple of the flash page and of the block, as a file system would
    // place objects.
    private const long ObjectSpacing = 4_769L << 20;
    private readonly SimulatedServer _server;
    private readonly ArgonCore _core;
    private readonly List<IDeviceModel> _devices;
    private readonly List<SimulatedClient> _clients = [];
    private readonly PriorityQueue<Action, (TimeSpan At, long Order)> _events = new();
    private readonly long[] _allocated;
    private long _order;
    private int _objects;

    private SimulatedRun(SimulatedServer server)
    {
        _server = server;
        _core = new ArgonCore(server.Settings);
        _devices = [.. server.Disks.Select(create => create())];
        _allocated = new long[_devices.Count];
        foreach (var create in server.Disks)
        {
            var profile = DiskProfile.Of(new ModelProbe(create));
            _core.AddDisk(profile.Cost, server.Sharing == DiskSharing.AtOnce || (server.Sharing == DiskSharing.Calibrated && profile.AtOnce));
        }
    }

    public TimeSpan Now { get; private set; }

    public ArgonCore Core => _core;

    public TimeSpan HitTime => _server.HitTime;

    /// <summary>Runs the services together.</summary>
    public static IReadOnlyList<ServiceFigures> Of(SimulatedServer server, IReadOnlyList<SimulatedService> services) => Of(server, services, null);

    /// <param name="server">The server.</param>
    /// <param name="services">The services.</param>
    /// <param name="watch">Called every simulated second.</param>
    public static IReadOnlyList<ServiceFigures> Of(SimulatedServer server, IReadOnlyList<SimulatedService> services, Action<SimulatedRun>? watch)
    {
        var run = new SimulatedRun(server);
        for (var i = 0; i < services.Count; i++)
        {
            var client = new SimulatedClient(run, services[i], (server.Seed * 1000) + i);
            run._clients.Add(client);
            run.At(services[i].Joins, client.Join);
        }

        run.At(server.WarmUp, () => run._clients.ForEach(client => client.BeginMeasuring()));
        if (watch is not null)
            run.Watch(watch);
        run.RunTo(server.WarmUp + server.Measured);
        return [.. run._clients.Select(client => client.Figures(server.Measured))];
    }

    /// <summary>Runs one service with the server to itself.</summary>
    public static ServiceFigures Alone(SimulatedServer server, SimulatedService service) => Of(server, [service with { Joins = TimeSpan.Zero }])[0];

    public void At(TimeSpan time, Action action) => _events.Enqueue(action, (time, _order++));

    public ObjectState Open(int disk, long blocks)
    {
        var target = _core.Open(_objects++, disk, blocks * _server.Settings.BlockSize);
        target.Tag = _allocated[disk];
        _allocated[disk] += Math.Max(ObjectSpacing, blocks * _server.Settings.BlockSize);
        return target;
    }

    /// <summary>Hands the requests that the core has issued to the devices, and completed requests to their clients.</summary>
    public void Carry()
    {
        while (_core.Issued.Count > 0 || _core.Completed.Count > 0)
        {
            foreach (var io in _core.Issued)
            {
                var blockSize = _server.Settings.BlockSize;
                _devices[io.Object.Disk].Submit(io, (long)io.Object.Tag! + (io.First * blockSize), (long)io.Frames.Count * blockSize, Now);
            }

            _core.Issued.Clear();
            if (_core.Completed.Count == 0)
                continue;
            var completed = _core.Completed.ToArray();
            _core.Completed.Clear();
            foreach (var request in completed)
            {
                var client = (SimulatedClient)request.Tag!;
                client.Completed(request);
            }
        }
    }

    private void Watch(Action<SimulatedRun> watch)
    {
        watch(this);
        At(Now + TimeSpan.FromSeconds(1), () => Watch(watch));
    }

    private void RunTo(TimeSpan end)
    {
        while (true)
        {
            var next = _events.TryPeek(out _, out var first) ? first.At : TimeSpan.MaxValue;
            IDeviceModel? device = null;
            foreach (var each in _devices)
            {
                if (each.Next is { } at && at < next)
                    (device, next) = (each, at);
            }

            var wake = _core.NextTick;
            var tick = wake < next;
            if (tick)
                next = wake!.Value;
            if (next > end)
                return;
            Now = next > Now ? next : Now;
            if (tick)
                _core.Tick(Now);
            else if (device is not null)
                _core.IoDone(device.Complete(), null, Now);
            else
                _events.Dequeue()();
            Carry();
        }
    }
}

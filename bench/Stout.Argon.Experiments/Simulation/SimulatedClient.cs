using Stout.Argon.Engine;

namespace Stout.Argon.Experiments.Simulation;

/// <summary>All clients of one service. A client sends its next request after the answer to its last one.</summary>
internal sealed class SimulatedClient(SimulatedRun run, SimulatedService service, int seed)
{
    private readonly Random _random = new(seed);
    private readonly IPattern _pattern = service.Pattern();
    private readonly List<double> _latencies = [];
    private List<ObjectState> _objects = [];
    private ServiceState _state = null!;
    private bool _measuring;
    private long _requests;
    private TimeSpan _diskTime;
    private long _references;
    private long _absorbed;

    public void Join()
    {
        _state = run.Core.AddService(service.Weight, run.Now);
        _objects = [.. _pattern.Objects.Select(blocks => run.Open(service.Disk, blocks))];
        for (var i = 0; i < service.InFlight; i++)
            run.At(run.Now, Send);
    }

    public void BeginMeasuring()
    {
        _measuring = true;
        if (_state is not null)
            (_diskTime, _references, _absorbed) = (_state.Counters.DiskTime, _state.Counters.References, _state.Counters.Absorbed);
    }

    public ServiceFigures Figures(TimeSpan measured)
    {
        var references = Math.Max(1, _state.Counters.References - _references);
        _latencies.Sort();
        return new ServiceFigures(
            service.Name,
            _requests / measured.TotalSeconds,
            (_state.Counters.DiskTime - _diskTime) / measured,
            (double)(_state.Counters.Absorbed - _absorbed) / references,
            _state.Profile.Absorbed(Math.Max(0, _state.Partition.Target - _state.MostPinned)),
            _state.Status,
            _state.Partition.Target,
            _state.Least,
            _state.Throughput?.Promised,
            _state.Throughput?.Reached,
            references / measured.TotalSeconds,
            _latencies);
    }

    public void Completed(Request request)
    {
        if (_measuring)
        {
            _requests++;
            _latencies.Add((run.Now - request.StartedAt).TotalSeconds);
        }

        run.At(run.Now + (run.HitTime * Math.Max(1, request.Count)), () => Release(request));
    }

    private void Release(Request request)
    {
        run.Core.Release(request, run.Now);
        if (service.Think > TimeSpan.Zero)
            run.At(run.Now + service.Think, Send);
        else
            Send();
    }

    private void Send()
    {
        if (run.Now >= service.Leaves)
            return;
        var operation = _pattern.Next(_random);
        var target = _objects[operation.Object];
        var request = operation.Kind switch
        {
            RequestKind.Read => run.Core.Read(_state, target, operation.First, operation.Count, run.Now),
            RequestKind.Write => run.Core.Write(_state, target, operation.First, operation.Count, false, false, (operation.First + operation.Count) * run.Core.Settings.BlockSize, run.Now),
            RequestKind.Flush => run.Core.Flush(_state, target, run.Now),
            _ => throw new InvalidOperationException($"{operation.Kind} is not simulated."),
        };
        request.Tag = this;
    }
}

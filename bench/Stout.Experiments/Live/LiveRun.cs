using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Live;

/// <summary>Runs a scenario in real time, on middle tiers that are open already. Every run begins with new laws, and ends when no request waits.</summary>
internal sealed class LiveRun
{
    private readonly Scenario _scenario;
    private readonly LiveService _service;
    private readonly LiveRecorder _recorder;
    private readonly Random _random;
    private readonly Agenda _agenda = new();
    private readonly OpenLoop _clients;
    private Task _stall = Task.CompletedTask;

    private LiveRun(LiveService service, Scenario scenario, TimeProvider time)
    {
        _service = service;
        _scenario = scenario;
        _random = new Random(scenario.Seed);
        _clients = new OpenLoop(new PoissonArrivals(scenario.Load, new Random(_random.Next())), Ask);
        Plan();
        for (var i = 0; i < service.Tiers.Count; i++)
            service.Tiers[i].Pace(LawOf(i));
        _recorder = new LiveRecorder(scenario, time);
    }

    public static async Task<RunFigures> RunAsync(LiveService service, Scenario scenario, TimeProvider time, CancellationToken cancellationToken)
    {
        // Collects the garbage of earlier runs before this run begins.
        GC.Collect();
        var run = new LiveRun(service, scenario, time);
        await run.LoadAsync(cancellationToken);
        var figures = run._recorder.End(run._recorder.Now, service.Traffic);
        await run._recorder.DrainAsync(cancellationToken);
        return figures;
    }

    private async Task LoadAsync(CancellationToken cancellationToken)
    {
        try
        {
            await ClientThread.RunAsync(GoOn, cancellationToken);
        }
        finally
        {
            await _stall;
            _service.Stall?.GoOn();
        }
    }

    private bool GoOn()
    {
        var now = _recorder.Now;
        var until = now < _scenario.Duration ? now : _scenario.Duration;
        _agenda.Advance(until);
        _clients.Advance(until);
        return until < _scenario.Duration;
    }

    private void Plan()
    {
        _agenda.AddEvery(RunRecorder.SampleStep, _ => _recorder.Sample(_service.Lanes.Average(lane => lane.Interval.TotalMilliseconds)));
        _agenda.Add(_scenario.Warmup, now =>
        {
            foreach (var lane in _service.Lanes)
                lane.Restart();
            _recorder.BeginMeasuring(now);
        });
        if (_scenario.Disturbance is { } disturbance)
            _agenda.Add(disturbance.At, _ => Restart(disturbance.IntervalMilliseconds));
        foreach (var (at, speed) in _scenario.Speed?.Invoke(0).Changes ?? [])
        {
            if (speed is not (0 or 1))
                throw new ExperimentException("A real store can be stopped, but not slowed down.");
            _agenda.Add(at, _ => _stall = SetSpeedAsync(_stall, isStopped: speed == 0));
        }
    }

    // Stops or continues the store on another thread, since signals take a while and would delay the clients' thread.
    private async Task SetSpeedAsync(Task before, bool isStopped)
    {
        await before;
        var stall = _service.Stall!;
        await Task.Run(isStopped ? stall.Stop : stall.GoOn);
    }

    private void Restart(Func<int, double> intervalMilliseconds)
    {
        for (var i = 0; i < _service.Tiers.Count; i++)
            _service.Tiers[i].Pace(LawOf(i), intervalMilliseconds(i));
    }

    private Laws.PacingChoice LawOf(int tier) => tier % 2 == 1 ? _scenario.OtherLaw ?? _scenario.Law : _scenario.Law;

    private void Ask(TimeSpan startedAt)
    {
        var document = _random.Next(_scenario.Documents);
        var isWrite = _random.NextDouble() < _scenario.WriteShare;
        if (_recorder.TryAsk(startedAt))
            _service.Tiers[document % _scenario.Tiers].Serve(document / _scenario.Tiers, isWrite, startedAt, _recorder);
    }
}

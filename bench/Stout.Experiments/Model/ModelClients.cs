using Stout.Experiments.Workloads;

namespace Stout.Experiments.Model;

/// <summary>All clients together: requests come in one Poisson stream, each to a document chosen at random. <c>Happen</c> sends one request.</summary>
internal sealed class ModelClients : IModelEvent
{
    private readonly EventQueue _events;
    private readonly Scenario _scenario;
    private readonly ModelTier[] _tiers;
    private readonly ModelRecorder _recorder;
    private readonly PoissonArrivals _arrivals;
    private readonly Random _random;

    public ModelClients(EventQueue events, Scenario scenario, ModelTier[] tiers, ModelRecorder recorder, Random random)
    {
        _events = events;
        _scenario = scenario;
        _tiers = tiers;
        _recorder = recorder;
        _random = random;
        _arrivals = new PoissonArrivals(scenario.Load, random);
    }

    public void Start() => _events.Schedule(_arrivals.Next(), this);

    public void Happen(TimeSpan now)
    {
        if (_recorder.Run.Waiting < _scenario.MostWaiting.GetValueOrDefault(int.MaxValue))
            Ask(now);
        Start();
    }

    private void Ask(TimeSpan now)
    {
        var isHot = _scenario.HotShare > 0 && _random.NextDouble() < _scenario.HotShare;
        var document = _random.Next(isHot ? _scenario.HotDocuments : _scenario.Documents);
        var tier = document % _tiers.Length;
        var isWrite = _random.NextDouble() < _scenario.WriteShare;
        var reply = _recorder.Arrived(tier, isWrite, now);
        if (isWrite)
            _tiers[tier].Write(document / _tiers.Length, reply, now);
        else
            _tiers[tier].Read(document / _tiers.Length, reply, now);
    }
}

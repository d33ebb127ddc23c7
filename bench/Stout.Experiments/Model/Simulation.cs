using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Model;

/// <summary>Runs a scenario in virtual time, on one thread. The same scenario gives the same figures, to the last bit.</summary>
internal static class Simulation
{
    public static RunFigures Run(Scenario scenario, CancellationToken cancellationToken = default)
    {
        var (events, recorder) = Begin(scenario);
        events.RunUntil(scenario.Warmup, cancellationToken);
        recorder.BeginMeasuring(events.Now);
        events.RunUntil(scenario.Duration, cancellationToken);
        return recorder.End(events.Now);
    }

    /// <summary>Prepares a run. Its virtual time is still 0.</summary>
    public static (EventQueue Events, RunRecorder Recorder) Begin(Scenario scenario)
    {
        // Each component has its own random numbers, seeded by the scenario's seed, so that two laws meet the same clients.
        var seeds = new Random(scenario.Seed);
        Random NewRandom() => new(seeds.Next());
        var clientRandom = NewRandom();
        var events = new EventQueue();
        var recorder = new ModelRecorder(scenario);
        IStoreModel[] partitions =
        [
            .. Enumerable.Range(0, scenario.Store.Partitions)
                .Select(p => scenario.Store.Make(NewRandom(), scenario.Speed?.Invoke(p) ?? StoreSpeed.Usual, scenario.Tiers)),
        ];
        var options = Options;
        var documents = new SmallDocuments(scenario.ValueBytes);
        ModelTier[] tiers =
        [
            .. Enumerable.Range(0, scenario.Tiers).Select(tier => new ModelTier(scenario, tier, events, NewRandom(), (partition, law, clock) =>
                new ModelLane(Place(tier, partition), options, law, clock, NewRandom()))),
        ];
        if (scenario.Closed is { } closed)
        {
            for (var client = 0; client < closed.Clients; client++)
                new WaitingClient(events, scenario, client % tiers.Length, tiers[client % tiers.Length], recorder, clientRandom).Start();
        }
        else
        {
            new ModelClients(events, scenario, tiers, recorder, clientRandom).Start();
        }

        new Sampler(events, tiers, recorder.Run).Start();
        if (scenario.Disturbance is { } disturbance)
            events.Schedule(disturbance.At, new LawRestart(tiers, disturbance.IntervalMilliseconds));

        return (events, recorder.Run);

        LanePlace Place(int tier, int partition) =>
            new(tier, partition, scenario.Store, partitions[partition], documents, events, recorder);
    }

    // The paper's stores answer in the end, so requests never time out. The paper's clients are never held back, so admission has no limits.
    public static StoutOptions Options => new()
    {
        RequestTimeout = TimeSpan.FromDays(1),
        MaxDirtyKeys = int.MaxValue,
        MaxUndurableBytes = long.MaxValue,
        MaxWaitingMessages = int.MaxValue,
    };

    private sealed class LawRestart(ModelTier[] tiers, Func<int, double> intervalMilliseconds) : IModelEvent
    {
        public void Happen(TimeSpan now)
        {
            for (var i = 0; i < tiers.Length; i++)
                tiers[i].RestartLaws(intervalMilliseconds(i));
        }
    }
}

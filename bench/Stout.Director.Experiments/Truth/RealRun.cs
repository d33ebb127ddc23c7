using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Experiments.Truth;

/// <summary>The figures of one real run.</summary>
/// <param name="MeanServers">The mean number of leased servers.</param>
/// <param name="MostServers">The largest number.</param>
/// <param name="Attained">The highest percentile at which no interval has too many slow reads; 0 if even the lowest is missed.</param>
/// <param name="Slow">The mean share of slow reads in an interval.</param>
/// <param name="Failed">The requests that failed.</param>
internal sealed record RealRun(double MeanServers, int MostServers, double Attained, double Slow, int Failed)
{
    private static readonly TimeSpan Warmup = TimeSpan.FromSeconds(40);
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    /// <summary>Runs a load on real servers under a Director. In the mode <see cref="DirectorMode.Observe"/> the servers stay as they are.</summary>
    public static async Task<RealRun> RunAsync(RealLoad load, DirectorPolicy policy, ModelFile model, int servers, Stream recording, TimeProvider time, int seed, CancellationToken cancellationToken)
    {
        await using var cluster = new RealCluster(time);
        using var clients = new Clients(cluster.Serve, time, seed);
        cluster.FillAsync = clients.FillAsync;
        cluster.TakeSlowShare = () => clients.ForDirector.Take().Slow[TruthSetup.SlowIndex];
        var shares = new double[load.Bins];
        load.FillShares(0, shares);
        await cluster.BeginAsync(servers, shares, cancellationToken);
        var settings = new DirectorSettings(policy, [model.Type], load.Bins);
        using var writer = new RecordingWriter(recording, settings, time.GetUtcNow());
        var runner = new DirectorRunner(new DirectorCore(settings), cluster, cluster, writer);
        var start = time.GetTimestamp();
        await runner.StartAsync(TimeSpan.Zero, cancellationToken);
        var requests = clients.RunAsync(new WarmedUp(load, Warmup), Warmup + load.Length, cancellationToken);
        var (counts, slow) = (new List<int>(), new List<double>());
        var (nextPlan, nextInterval) = (policy.Period, Warmup);
        using var timer = new PeriodicTimer(Second, time);
        while (!requests.IsCompleted && await timer.WaitForNextTickAsync(cancellationToken))
        {
            var now = time.GetElapsedTime(start);
            if (now >= nextPlan)
            {
                nextPlan += policy.Period;
                await runner.PlanAsync(now, cancellationToken);
            }

            await runner.AdvanceAsync(now, cancellationToken);
            if (now >= nextInterval)
            {
                var (_, shareSlow) = clients.ForFigures.Take();
                if (nextInterval > Warmup)
                    slow.Add(shareSlow[TruthSetup.SlowIndex]);
                nextInterval += TruthSetup.Objective.Interval;
            }

            if (now >= Warmup)
                counts.Add(cluster.Servers);
        }

        await requests;
        return new RealRun(counts.Average(), counts.Max(), SimulationResult.AttainedBy(slow), slow.Average(), clients.Failed);
    }

    /// <summary>A load after a time in which its first rate holds.</summary>
    private sealed class WarmedUp : Workload
    {
        private readonly RealLoad _load;
        private readonly double _warmup;

        [System.Diagnostics.CodeAnalysis.SetsRequiredMembers]
        public WarmedUp(RealLoad load, TimeSpan warmup) => (_load, _warmup, Length, GetShare) = (load, warmup.TotalSeconds, load.Length + warmup, load.GetShare);

        public override int Bins => _load.Bins;

        public override double Rate(double seconds) => _load.Rate(seconds - _warmup);

        public override void FillShares(double seconds, Span<double> result) => _load.FillShares(seconds, result);
    }
}

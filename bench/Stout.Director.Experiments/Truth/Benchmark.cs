using Stout.Director.Models;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Experiments.Truth;

/// <summary>Measures the latencies of one server at several loads and two mixes, and trains its model.</summary>
internal static class Benchmark
{
    private static readonly double[] Fill = [0.3, 0.5, 0.65, 0.75, 0.82, 0.88, 0.93, 0.97, 1.02];
    private static readonly double[] Mixes = [0.95, 0.6];

    public static async Task<ModelFile> RunAsync(TimeSpan each, TimeProvider time, int seed, TextWriter log, CancellationToken cancellationToken)
    {
        await using var cluster = new RealCluster(time);
        using var clients = new Clients(cluster.Serve, time, seed);
        cluster.FillAsync = clients.FillAsync;
        double[] shares = [.. Enumerable.Repeat(1.0 / TruthSetup.Bins, TruthSetup.Bins)];
        await cluster.BeginAsync(1, shares, cancellationToken);
        var (loads, latencies) = (new List<LoadSample>(), new List<LatencySample>());
        foreach (var mix in Mixes)
        {
            foreach (var fill in Fill)
            {
                var rate = fill * TruthSetup.FullRate;
                var load = new SteadyWorkload(rate, shares) { Length = each, GetShare = mix };
                // The first part fills the queue as the load has it, and does not count.
                await clients.RunAsync(load, each / 4, cancellationToken);
                clients.ForFigures.Take();
                await clients.RunAsync(load, each, cancellationToken);
                var (_, slow) = clients.ForFigures.Take();
                loads.Add(new LoadSample(rate * mix, rate * (1 - mix), slow[TruthSetup.SlowIndex] > TruthSetup.Objective.SlowBudget));
                latencies.Add(new LatencySample(rate * mix, rate * (1 - mix), slow));
                await log.WriteLineAsync(FormattableString.Invariant($"one server at {rate:0}/s, {100 * mix:0} % reads: {100 * slow[TruthSetup.SlowIndex]:0.00} % slow"));
            }
        }

        var steady = SteadyStateTrainer.Train(loads);
        return new ModelFile
        {
            Objective = TruthSetup.Objective.ToString(),
            Asked = 1,
            Type = new ServerType
            {
                Name = TruthSetup.Type,
                SteadyState = steady,
                Copies = new CopyDurationModel { Coefficients = [1, 0, 0, 0, 0, 0, 0], Scales = [1, 1, 1] },
                Memory = TruthSetup.Bins * TruthSetup.BinBytes,
            },
            Latencies = LatencyTableTrainer.Train(steady, TruthSetup.Thresholds, latencies, asked: 1),
        };
    }
}

using Stout.Director.Models;
using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Training;

/// <summary>Trains a server type's models on the exact simulator, as the paper does on a cluster (§5.4).</summary>
internal static class ModelTrainer
{
    /// <summary>The mixes of the paper: shares of gets.</summary>
    public static IReadOnlyList<double> Mixes { get; } = [0.5, 0.8, 0.9, 0.95];

    private const int Servers = 6;

    // The loads of the benchmark runs lie between these shares of their mix's boundary, which is found by bisection.
    private const double LeastLoad = 0.6;
    private const double MostLoad = 1.4;

    private static readonly double[] TableLoads = [0, 0.3, 0.5, 0.65, 0.75, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.33];
    private static readonly double[] TableThresholds = [0.01, 0.02, 0.03, 0.05, 0.07, 0.085, 0.1, 0.12, 0.15, 0.2, 0.3, 0.5, 1];

    /// <summary>Trains the models of a server type.</summary>
    /// <param name="name">The server type's name.</param>
    /// <param name="physics">The servers' behavior.</param>
    /// <param name="settings">Objective, replicas and effort.</param>
    /// <param name="progress">Receives the share that is done, from 0 to 1.</param>
    /// <param name="cancellationToken">Ends the training.</param>
    /// <returns>The model file.</returns>
    /// <exception cref="ModelException">A setting or the behavior is out of range, or the samples are all of one class.</exception>
    public static ModelFile Train(string name, ServerPhysics physics, TrainingSettings settings, IProgress<double>? progress = null, CancellationToken cancellationToken = default)
    {
        if (settings.Samples is < 1 or > 10_000 || settings.Intervals < 1 || settings.Replicas is < 1 or > 16)
            throw new ModelException("Training needs 1 to 10,000 samples, at least one interval, and 1 to 16 replicas.");
        if (!(physics.GetTime > 0 && double.IsFinite(physics.GetTime) && physics.PutTime >= 0 && double.IsFinite(physics.PutTime) && physics.CopyCapacity > 0))
            throw new ModelException("A simulated server needs a get time above 0, a put time of at least 0, and a copy capacity above 0, all finite.");
        var samples = LoadSamples(physics, settings, new Step(progress, 0, 0.6, cancellationToken));
        var model = SteadyStateTrainer.Train(samples);
        var type = new ServerType
        {
            Name = name,
            SteadyState = model,
            Copies = CopyDurationTrainer.Train(CopySamples(physics, settings.Samples * 4, settings.Seed)),
            Memory = settings.Memory,
            Price = settings.Price,
        };
        var table = Table(physics, model, settings, new Step(progress, 0.6, 1, cancellationToken));
        return new ModelFile { Objective = settings.Objective.ToString(), Asked = settings.Replicas, Type = type, Latencies = table };
    }

    /// <summary>Benchmark runs at every mix, with loads spread evenly around each mix's boundary.</summary>
    /// <param name="physics">The behavior.</param>
    /// <param name="settings">Objective, replicas and effort.</param>
    /// <returns>The samples.</returns>
    public static IReadOnlyList<LoadSample> LoadSamples(ServerPhysics physics, TrainingSettings settings) => LoadSamples(physics, settings, new Step(null, 0, 1, default));

    /// <summary>Copies at several rates and loads.</summary>
    /// <param name="physics">The behavior.</param>
    /// <param name="count">The number of copies.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <returns>The samples.</returns>
    public static IReadOnlyList<CopySample> CopySamples(ServerPhysics physics, int count, int seed)
    {
        var random = new Xoshiro((ulong)seed + 99);
        var most = 0.45 / physics.GetTime;
        return [.. Enumerable.Range(0, count).Select(_ =>
        {
            var rate = 1e6 + 7e6 * random.NextDouble();
            var (target, source) = (most * random.NextDouble(), most * random.NextDouble());
            var puts = 0.05 + 0.45 * random.NextDouble();
            var factor = CopyPhysics.Factor(physics, rate, target * physics.GetTime, source * physics.GetTime) * Math.Exp(physics.CopyDeviation * random.NextNormal());
            return new CopySample(rate, (target + source) * (1 - puts), (target + source) * puts, factor);
        })];
    }

    private static List<LoadSample> LoadSamples(ServerPhysics physics, TrainingSettings settings, Step step)
    {
        var random = new Xoshiro((ulong)settings.Seed);
        var samples = new List<LoadSample>();
        foreach (var mix in Mixes)
        {
            var boundary = Boundary(physics, mix, settings);
            for (var i = 0; i < settings.Samples; i++)
            {
                var visits = boundary * (LeastLoad + (MostLoad - LeastLoad) * (i + random.NextDouble()) / settings.Samples);
                var slow = Slow(physics, mix, visits, settings, settings.Seed * 1000 + samples.Count);
                samples.Add(new LoadSample(visits * mix, visits * (1 - mix), slow > settings.Objective.SlowBudget));
                step.Report((double)samples.Count / (Mixes.Count * settings.Samples));
            }
        }

        return samples;
    }

    // The visits per second at which the objective begins to be violated, found by seven steps of bisection.
    private static double Boundary(ServerPhysics physics, double mix, TrainingSettings settings)
    {
        double low = 0, high = 1 / physics.GetTime;
        for (var i = 0; i < 7; i++)
        {
            var middle = (low + high) / 2;
            if (Slow(physics, mix, middle, settings, settings.Seed + i) > settings.Objective.SlowBudget)
                high = middle;
            else
                low = middle;
        }

        return (low + high) / 2;
    }

    private static double Slow(ServerPhysics physics, double mix, double visits, TrainingSettings settings, int seed) =>
        Latencies.Sum(SteadyRun.Run(physics, Servers, settings.Replicas, visits, mix, settings.Intervals, seed)).SlowerThan(settings.Objective.Threshold.TotalSeconds);

    private static LatencyTable Table(ServerPhysics physics, SteadyStateModel model, TrainingSettings settings, Step step)
    {
        var capacity = model.Capacity(0.95);
        var (one, two, dispersion) = (new List<double[]>(), new List<double[]>(), new List<double>());
        // The load, in shares of the boundary, that takes all of the processor time that stalls leave.
        var saturation = physics.Run / (physics.Run + physics.Stall) / (capacity * (0.95 * physics.GetTime + 0.05 * physics.PutTime));
        var loads = TableLoads.Where(load => load < saturation * 0.99).ToList();
        foreach (var load in loads)
        {
            var visits = Math.Max(capacity * load, 1);
            // At lower loads slow gets are rarer, so their share needs longer runs.
            var intervals = settings.Intervals * (load < 0.95 ? 6 : 3);
            var pairs = SteadyRun.Run(physics, Servers, 2, visits, 0.95, intervals, settings.Seed + 7);
            two.Add(Row(Latencies.Sum(pairs)));
            one.Add(Row(Latencies.Sum(SteadyRun.Run(physics, Servers, 1, visits, 0.95, settings.Intervals, settings.Seed + 8))));
            dispersion.Add(Dispersion([.. pairs.Select(pair => pair.SlowerThan(settings.Objective.Threshold.TotalSeconds))]));
            step.Report((double)two.Count / loads.Count);
        }

        return new LatencyTable
        {
            Loads = loads,
            Thresholds = TableThresholds,
            SlowAtOne = one,
            SlowAtTwo = two,
            Dispersion = dispersion,
            Saturation = saturation,
            LongestQueue = physics.LongestQueue,
            CopyShare = 1 / physics.CopyCapacity,
        };
    }

    private static double[] Row(Latencies latencies) => [.. TableThresholds.Select(latencies.SlowerThan)];

    private static double Dispersion(IReadOnlyList<double> shares)
    {
        var mean = shares.Average();
        if (mean <= 0 || shares.Count < 2)
            return 0;
        var variance = shares.Sum(share => (share - mean) * (share - mean)) / (shares.Count - 1);
        return variance / (mean * mean) * SimulationSeconds * Servers;
    }

    private const double SimulationSeconds = 20;

    // Reports the progress of one step as a part of the whole progress.
    private sealed record Step(IProgress<double>? Progress, double From, double To, CancellationToken CancellationToken)
    {
        public void Report(double share)
        {
            CancellationToken.ThrowIfCancellationRequested();
            Progress?.Report(From + (To - From) * share);
        }
    }
}

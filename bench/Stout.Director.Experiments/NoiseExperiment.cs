using Stout.Director.Simulation.Physics;

namespace Stout.Director.Experiments;

/// <summary>
/// Figure 1 of the Director's paper: the window over which the 99th percentile varies as little as the mean over 20 s. It checks the calibration of the
/// simulated servers.
/// </summary>
internal sealed class NoiseExperiment() : DirectorExperiment("director-fig1", "standard deviation of mean and 99th percentile by smoothing window")
{
    private const double Working = 7_000 / 1.1;
    private static readonly int[] Windows = [1, 2, 3, 6, 9, 12, 15, 18, 24];

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var intervals = SteadyRun.Run(ServerPhysics.SmallInstance, 10, 2, Working, 0.95, context.Pick(1_440, 90), context.Settings.Seed);
        var table = new Table(new Column("signal"), new Column("window", "s"), new Column("deviation", "ms"));
        var meanAtOnce = 0.0;
        double? needed = null;
        foreach (var window in Windows)
        {
            var groups = intervals.Chunk(window).Where(chunk => chunk.Length == window).ToList();
            var mean = Deviation(groups.Select(group => group.Average(one => one.Mean)));
            var tail = Deviation(groups.Select(group => Latencies.Sum(group).Percentile(0.99)));
            table.Add("mean", window * 20, mean);
            table.Add("99th percentile", window * 20, tail);
            if (window == 1)
                meanAtOnce = mean;
            if (tail <= meanAtOnce)
                needed ??= window * 20;
        }

        return new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                new("mean latency", "ms", intervals.Average(one => one.Mean) * 1000, 11),
                new("99th percentile", "ms", Latencies.Sum(intervals).Percentile(0.99) * 1000, 82),
                new("window at which the 99th percentile varies as the mean over 20 s does", "s", needed, 240),
                new("share slower than 100 ms at 7,000 visits/s", "%", 100 * Latencies.Sum(SteadyRun.Run(ServerPhysics.SmallInstance, 10, 2, 7_000, 0.95, context.Pick(180, 30), context.Settings.Seed)).SlowerThan(0.1), 1),
            ],
            Plots = [new("Figure 1", "window", "deviation", "signal")],
        };
    }

    private static double Deviation(IEnumerable<double> seconds)
    {
        var all = seconds.ToList();
        var mean = all.Average();
        return 1000 * Math.Sqrt(all.Sum(value => (value - mean) * (value - mean)) / (all.Count - 1));
    }
}

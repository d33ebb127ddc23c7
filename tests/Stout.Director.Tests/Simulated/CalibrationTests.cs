using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Simulated;

/// <summary>The simulated server has the latencies of the paper's server (§2.2, §5.4).</summary>
public sealed class CalibrationTests
{
    // 7,000 visits/s with the paper's overprovisioning of 0.1.
    private const double Working = 7_000 / 1.1;

    [Fact]
    public void Steady_latency_and_its_noise_are_those_of_the_paper()
    {
        var intervals = SteadyRun.Run(ServerPhysics.SmallInstance, servers: 10, replicas: 2, Working, 0.95, intervals: 480, seed: 1);
        Assert.InRange(intervals.Average(interval => interval.Mean) * 1000, 10.5, 11.5);
        Assert.InRange(Latencies.Sum(intervals).Percentile(0.99) * 1000, 79, 85);

        // The 99th percentile over 4 min varies as much as the mean over 20 s. So over 2 min it varies more, and over 6 min less.
        var mean = Deviation(intervals.Select(interval => interval.Mean));
        Assert.True(Tail(intervals, 6) > mean, "2 min");
        Assert.True(Tail(intervals, 18) < mean, "6 min");
    }

    [Fact]
    public void At_7000_visits_a_second_one_percent_of_gets_is_slower_than_100_ms() =>
        Assert.InRange(Latencies.Sum(SteadyRun.Run(ServerPhysics.SmallInstance, 10, 2, 7_000, 0.95, 60, 1)).SlowerThan(0.1), 0.009, 0.011);

    private static double Tail(List<Latencies> intervals, int window) => Deviation(intervals.Chunk(window).Where(chunk => chunk.Length == window).Select(chunk => Latencies.Sum(chunk).Percentile(0.99)));

    private static double Deviation(IEnumerable<double> values)
    {
        var all = values.ToList();
        var mean = all.Average();
        return Math.Sqrt(all.Sum(value => (value - mean) * (value - mean)) / (all.Count - 1));
    }
}

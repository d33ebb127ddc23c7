using Stout.Director.Tool.Fitting;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tests.Tool.Answers;

/// <summary>Histories of a service whose servers are known: 4 slots, 200 reads/s, constant service times of 20 ms.</summary>
internal static class Synthetic
{
    public const double Saturation = 200;

    private static readonly double[] Bounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

    public static QueueCurve Truth { get; } = new(Saturation, 4, 2, Bounds, [0, 1, 0, 0, 0, 0, 0, 0]);

    public static ServiceObjective Objective { get; } = ServiceObjective.Parse("99 % of reads under 100 ms, over 1 min");

    /// <summary>A wave of load on a number of servers that an operator keeps at a utilization.</summary>
    public static ServiceHistory Wave(int steps, double peak, double utilization = 0.8)
    {
        double[] rates = [.. Enumerable.Range(0, steps).Select(step => peak * (0.6 - 0.4 * Math.Cos(2 * Math.PI * step / 60)))];
        double[] counts = [.. rates.Select(rate => Math.Max(1, Math.Ceiling(rate / (Saturation * utilization))))];
        return new ServiceHistory
        {
            Sources = ["a formula"],
            Start = new DateTimeOffset(2026, 11, 1, 0, 0, 0, TimeSpan.Zero),
            StepSeconds = 60,
            Steps = steps,
            Buckets = Bounds,
            Bins = [new BinHistory { Name = "all", Reads = rates, Writes = new double[steps] }],
            Servers = [new ServerHistory { Name = "all", Count = counts, Reads = rates, Writes = new double[steps], Latency = [.. rates.Select((rate, step) => Row(rate, rate / counts[step]))] }],
            Replicas = counts,
        };
    }

    private static double[] Row(double rate, double load)
    {
        var slow = Truth.Slow(load);
        return [.. slow.Select((share, i) => rate * ((i == 0 ? 1 : slow[i - 1]) - share)), rate * slow[^1]];
    }
}

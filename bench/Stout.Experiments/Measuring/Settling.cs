namespace Stout.Experiments.Measuring;

/// <summary>The time until latency settles after a change of the load or of the store.</summary>
internal static class Settling
{
    private const double Tolerance = 0.1;
    private const double RealTolerance = 0.25;

    private static readonly TimeSpan Window = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Stay = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The time from <paramref name="change"/> until the mean over the next second lies within 10 % of the new mean. The means of all seconds that begin in
    /// the five seconds after must do so too. Null if that never happens.
    /// </summary>
    /// <param name="series">The latencies.</param>
    /// <param name="change">When the load changed.</param>
    /// <param name="end">The end of the run; its last third gives the new mean.</param>
    /// <param name="isReal">Whether the latencies are of a real store. The disk of a real store pauses by itself. So the median of the quarters of a second
    /// replaces the mean of the second, and 25 % replaces 10 %.</param>
    public static TimeSpan? Time(LatencySeries series, TimeSpan change, TimeSpan end, bool isReal = false)
    {
        Func<TimeSpan, TimeSpan, double> mean = isReal ? series.MedianOfSteps : series.Mean;
        var target = mean(RestsFrom(change, end), end);
        var tolerance = isReal ? RealTolerance : Tolerance;
        return FirstLasting(series.Step, change, end, at => Math.Abs(mean(at, at + Window) - target) <= tolerance * target);
    }

    /// <summary>
    /// The time until several runs together settle. Each run's mean latency in a second is divided by the run's mean at the end (<see cref="Rest"/>), and
    /// these ratios are averaged over the runs. A slow store has a few dozen requests in a second, so the mean of a single run never stops scattering. The
    /// average over the runs shows only the effects that all runs share.
    /// </summary>
    /// <param name="runs">The latencies of each run; at least one.</param>
    /// <param name="change">When the load or the store changed.</param>
    /// <param name="end">The end of the runs.</param>
    public static TimeSpan? TimeOfMean(IReadOnlyList<LatencySeries> runs, TimeSpan change, TimeSpan end)
    {
        var rests = runs.Select(run => Rest(run, change, end)).ToList();
        return FirstLasting(runs[0].Step, change, end, at => Math.Abs(runs.Zip(rests, (run, rest) => run.Mean(at, at + Window) / rest).Average() - 1) <= Tolerance);
    }

    /// <summary>The mean latency in the last third of the time from a change to the end.</summary>
    public static double Rest(LatencySeries series, TimeSpan change, TimeSpan end) => series.Mean(RestsFrom(change, end), end);

    /// <summary>
    /// The time from <paramref name="change"/> until <paramref name="holds"/> is true and stays true at every step for five seconds; null if that never
    /// happens.
    /// </summary>
    public static TimeSpan? FirstLasting(TimeSpan step, TimeSpan change, TimeSpan end, Func<TimeSpan, bool> holds)
    {
        var since = change;
        for (var at = change; at + Window <= end; at += step)
        {
            if (!holds(at))
                since = at + step;
            else if (at - since >= Stay)
                return since - change;
        }

        return null;
    }

    private static TimeSpan RestsFrom(TimeSpan change, TimeSpan end) => end - ((end - change) / 3);
}

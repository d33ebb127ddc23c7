namespace Stout.Experiments.Measuring;

/// <summary>When something has come to rest.</summary>
internal static class Settling
{
    private const double Tolerance = 0.1;
    private const double RealTolerance = 0.25;

    private static readonly TimeSpan Window = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Stay = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The time from <paramref name="change"/> until the mean over the next second lies within 10 % of the new mean, and every second's that
    /// begins within the five after it does too; null if that never happens.
    /// </summary>
    /// <param name="series">The latencies.</param>
    /// <param name="change">When the load changed.</param>
    /// <param name="end">The end of the run; its last third gives the new mean.</param>
    /// <param name="isReal">Of a real store, whose disk pauses by itself, medians of quarters of a second are taken for means, and 25 % for 10.</param>
    public static TimeSpan? Time(LatencySeries series, TimeSpan change, TimeSpan end, bool isReal = false)
    {
        Func<TimeSpan, TimeSpan, double> mean = isReal ? series.MedianOfSteps : series.Mean;
        var target = mean(RestsFrom(change, end), end);
        var tolerance = isReal ? RealTolerance : Tolerance;
        return FirstLasting(series.Step, change, end, at => Math.Abs(mean(at, at + Window) - target) <= tolerance * target);
    }

    /// <summary>
    /// The same of several runs at once: of the mean over them of each second's latency over what its run comes to. A slow store has a few dozen requests in a second, and
    /// what their mean scatters by goes on for ever; in the mean of the runs only what all do after the change is left.
    /// </summary>
    /// <param name="runs">The latencies of each run; at least one.</param>
    /// <param name="change">When the load or the store changed.</param>
    /// <param name="end">The end of the runs.</param>
    public static TimeSpan? TimeOfMean(IReadOnlyList<LatencySeries> runs, TimeSpan change, TimeSpan end)
    {
        var rests = runs.Select(run => Rest(run, change, end)).ToList();
        return FirstLasting(runs[0].Step, change, end, at => Math.Abs(runs.Zip(rests, (run, rest) => run.Mean(at, at + Window) / rest).Average() - 1) <= Tolerance);
    }

    /// <summary>The mean that latencies come to after a change.</summary>
    public static double Rest(LatencySeries series, TimeSpan change, TimeSpan end) => series.Mean(RestsFrom(change, end), end);

    /// <summary>The time from <paramref name="change"/> until <paramref name="holds"/>, and does so at every step of the five seconds after.</summary>
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

namespace Stout.Experiments.Measuring;

/// <summary>The time until latency is again as it was before a disturbance.</summary>
internal static class Recovery
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The time from <paramref name="over"/> until a second's mean is at most a tenth above the usual highest one, and stays so for five seconds. Null if that
    /// never happens. The usual highest mean is the highest of any second between half of <paramref name="at"/> and <paramref name="at"/>. It is the limit
    /// because the interval of the paper's law always swings, and these usual swings are no trace of the disturbance.
    /// </summary>
    /// <param name="series">The latencies.</param>
    /// <param name="at">When the disturbance began.</param>
    /// <param name="over">When the disturbance ended.</param>
    /// <param name="end">The end of the run.</param>
    /// <param name="isReal">Whether the latencies are of a real store. The disk of a real store pauses by itself, so the median of the quarters of a second
    /// replaces the mean of the second.</param>
    public static TimeSpan? Time(LatencySeries series, TimeSpan at, TimeSpan over, TimeSpan end, bool isReal = false)
    {
        Func<TimeSpan, TimeSpan, double> mean = isReal ? series.MedianOfSteps : series.Mean;
        var usual = 0.0;
        for (var second = at / 2; second + Second <= at; second += series.Step)
            usual = Math.Max(usual, 1.1 * mean(second, second + Second));
        return Settling.FirstLasting(series.Step, over, end, time => mean(time, time + Second) <= usual);
    }
}

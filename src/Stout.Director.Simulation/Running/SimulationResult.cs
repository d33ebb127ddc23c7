using Stout.Director.Decisions;

namespace Stout.Director.Simulation.Running;

/// <summary>The result of a run.</summary>
public sealed record SimulationResult
{
    /// <summary>The length of an entry of <see cref="Intervals"/>.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(20);

    /// <summary>The percentiles that <see cref="AttainedPercentile"/> chooses from.</summary>
    public static readonly IReadOnlyList<double> Percentiles = [50, 80, 90, 95, 98, 99, 99.5, 99.9];

    /// <summary>The intervals of the measured run, 20 s each.</summary>
    public required IReadOnlyList<IntervalStatistics> Intervals { get; init; }

    /// <summary>The number of server units: the paid intervals, of all servers, that began during the measured run.</summary>
    public required int Units { get; init; }

    /// <summary>The price of the paid intervals that overlap the measured run. An interval that is partly in the run counts by its part.</summary>
    public required double Cost { get; init; }

    /// <summary>The number of bins that were copied completely to another server during the measured run.</summary>
    public required long Moves { get; init; }

    /// <summary>The bytes of the bins that <see cref="Moves"/> counts.</summary>
    public required long BytesMoved { get; init; }

    /// <summary>The number of servers leased during the measured run.</summary>
    public required int Leases { get; init; }

    /// <summary>The number of servers released during the measured run.</summary>
    public required int Releases { get; init; }

    /// <summary>The number of simulated visits, warm-up included; 0 in flow mode.</summary>
    public required long Visits { get; init; }

    /// <summary>The Director's decisions with an action or a finding, warm-up included.</summary>
    public required IReadOnlyList<Decision> Decisions { get; init; }

    /// <summary>The highest of <see cref="Percentiles"/> at which no interval of the run has too many slow gets, or 0.</summary>
    /// <param name="interval">The length of an interval, a multiple of 20 s.</param>
    /// <returns>The percentile.</returns>
    /// <exception cref="InvalidObjectiveException">The interval is longer than the run, or no multiple of 20 s.</exception>
    public double AttainedPercentile(TimeSpan interval) => AttainedBy(SlowShares(interval));

    /// <summary>The highest of <see cref="Percentiles"/> that intervals attain, or 0.</summary>
    /// <param name="slowShares">The share of slow gets in each interval; NaN where it is unknown.</param>
    internal static double AttainedBy(IEnumerable<double> slowShares)
    {
        // Without a known interval, no percentile is attained.
        var worst = slowShares.Where(double.IsFinite).DefaultIfEmpty(1).Max();
        return Percentiles.LastOrDefault(percentile => worst <= 1 - percentile / 100 + 1e-9);
    }

    /// <summary>The number of intervals with more slow gets than a percentile allows.</summary>
    /// <param name="percentile">The percentile, in percent.</param>
    /// <param name="interval">The length of an interval, a multiple of 20 s.</param>
    /// <returns>The number.</returns>
    /// <exception cref="InvalidObjectiveException">The interval is longer than the run, or no multiple of 20 s.</exception>
    public int Violations(double percentile, TimeSpan interval) => SlowShares(interval).Count(share => share > 1 - percentile / 100);

    /// <summary>The share of slow gets in each interval.</summary>
    /// <param name="interval">The length of an interval, a multiple of 20 s.</param>
    /// <returns>The shares, from 0 to 1. Intervals after the last whole one do not count.</returns>
    /// <exception cref="InvalidObjectiveException">The interval is longer than the run, or no multiple of 20 s.</exception>
    public IEnumerable<double> SlowShares(TimeSpan interval)
    {
        CheckInterval(interval, Interval * Intervals.Count);
        var size = (int)(interval / Interval);
        return Intervals.Chunk(size).Where(chunk => chunk.Length == size).Select(chunk => chunk.Sum(one => one.Slow) / Math.Max(1, chunk.Sum(one => one.Gets)));
    }

    /// <summary>Checks that slow gets can be counted by an interval.</summary>
    /// <param name="interval">The interval.</param>
    /// <param name="length">The length of the run.</param>
    /// <exception cref="InvalidObjectiveException">The interval is longer than the run, or no multiple of 20 s.</exception>
    public static void CheckInterval(TimeSpan interval, TimeSpan length)
    {
        if (interval <= TimeSpan.Zero || interval.Ticks % Interval.Ticks != 0)
            throw new InvalidObjectiveException($"The objective's interval is {interval}; a simulation counts slow reads by multiples of 20 s.");
        if (interval > length)
            throw new InvalidObjectiveException($"The objective's interval is {interval}, longer than the load of {length}.");
    }
}

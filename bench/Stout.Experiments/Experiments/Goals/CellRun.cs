using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>The figures of one run of a random cell. The length of the run depends on the rate of its requests.</summary>
/// <param name="MeanMilliseconds">Mean write latency after the first third, or mean length of a waiting client's cycle; infinity if the run was given up.</param>
/// <param name="LastThird">The mean write latency of the run's last third over that of its middle third.</param>
/// <param name="Interval">The lanes' mean interval at the end, in milliseconds.</param>
internal readonly record struct CellRun(double MeanMilliseconds, double LastThird, double Interval)
{
    private const double Growth = 1.5;
    private const double Hopeless = 4;
    private const int Looks = 30;

    /// <summary>Whether the last third's mean is above one and a half times the middle third's.</summary>
    public bool Grows => !(LastThird <= Growth);

    /// <summary>Runs a law.</summary>
    /// <param name="cell">The cell.</param>
    /// <param name="law">The law.</param>
    /// <param name="seed">The seed of the arrivals and of the store's random numbers.</param>
    /// <param name="length">The length of the run.</param>
    /// <param name="best">The least mean latency of other laws, in milliseconds. A run is given up when several times as many requests wait as that latency
    /// would explain.</param>
    /// <param name="cancellationToken">Stops the run.</param>
    public static CellRun Of(RandomCell cell, PacingChoice law, int seed, CellLength length, double best, CancellationToken cancellationToken)
    {
        var planned = length.Planned(cell.Rate);
        var scenario = cell.Scenario with { Law = law, Seed = seed, Duration = planned, Warmup = planned / 3 };
        var (events, recorder) = Simulation.Begin(scenario);
        events.RunUntil(scenario.Warmup, cancellationToken);
        recorder.BeginMeasuring(events.Now);
        var hopeless = (Hopeless * best * cell.Rate / 1_000) + (10 * scenario.Tiers);
        var most = double.IsFinite(length.MostRequests) ? TimeSpan.FromSeconds(length.MostRequests / cell.Rate) : TimeSpan.MaxValue;
        while (events.Now < planned || (recorder.Requests < length.LeastBatches && events.Now < most))
        {
            var before = recorder.Waiting;
            events.RunUntil(events.Now + (planned / Looks), cancellationToken);
            if (scenario.Closed is null && before > hopeless && recorder.Waiting > hopeless)
                return new CellRun(double.PositiveInfinity, double.PositiveInfinity, double.NaN);
        }

        var figures = recorder.End(events.Now);
        var third = events.Now / 3;
        return new CellRun(
            scenario.Closed is { } closed ? 1_000 * closed.Clients * (events.Now - scenario.Warmup).TotalSeconds / figures.Writes.Count : figures.MeanMilliseconds,
            figures.WritesOverTime.Mean(2 * third, events.Now) / figures.WritesOverTime.Mean(third, 2 * third),
            figures.Intervals.TakeLast(4).Average());
    }
}

/// <summary>How long a run of a cell is.</summary>
/// <param name="Least">The least virtual time.</param>
/// <param name="Most">The most virtual time that is planned.</param>
/// <param name="Requests">The planned number of requests, within the limits of <paramref name="Least"/> and <paramref name="Most"/>.</param>
/// <param name="LeastBatches">The run is prolonged until this many batches were measured, or <paramref name="MostRequests"/> requests have come.</param>
/// <param name="MostRequests">The most requests of a prolonged run.</param>
internal sealed record CellLength(TimeSpan Least, TimeSpan Most, double Requests, int LeastBatches, double MostRequests)
{
    /// <summary>The length of the runs of a law and of its best comparator.</summary>
    public static CellLength Measured { get; } = new(TimeSpan.FromSeconds(24), TimeSpan.FromSeconds(45), 200_000, 2_000, 1_000_000);

    /// <summary>The length of the runs that choose a comparator: short, since comparators behave the same from beginning to end.</summary>
    public static CellLength Choice { get; } = new(TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(10), 25_000, 300, 250_000);

    /// <summary>The length of the runs that show whether latency drifts.</summary>
    public static CellLength Long { get; } = new(TimeSpan.FromSeconds(900), TimeSpan.FromSeconds(900), 0, 2_000, double.PositiveInfinity);

    /// <summary>The planned virtual time at a rate in requests/s.</summary>
    public TimeSpan Planned(double rate) => TimeSpan.FromSeconds(Math.Min(Math.Clamp(Requests / rate, Least.TotalSeconds, Most.TotalSeconds), MostRequests / rate));
}

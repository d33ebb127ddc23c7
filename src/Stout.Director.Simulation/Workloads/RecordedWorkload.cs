using Stout.Director.Loads;
using Stout.Director.Recordings;

namespace Stout.Director.Simulation.Workloads;

/// <summary>The clients' load of a recording: constant between two plans of the recorded Director, with the rates and the mix of each bin.</summary>
internal sealed class RecordedWorkload : Workload
{
    private readonly double[] _ends;
    private readonly LoadHistogram[] _loads;

    private RecordedWorkload(double[] ends, LoadHistogram[] loads) => (_ends, _loads) = (ends, loads);

    /// <inheritdoc/>
    public override int Bins => _loads[0].Bins;

    /// <summary>The time without plans, where two plans are more than two periods apart. The load of the later plan holds for all of it.</summary>
    public TimeSpan Gaps { get; private init; }

    /// <summary>Takes the load of a recording.</summary>
    /// <param name="recording">The recording. At least two plans with reports.</param>
    /// <returns>The load, from the beginning of the first plan's measured period on.</returns>
    /// <exception cref="RecordingException">The recording has fewer than two plans with load.</exception>
    public static RecordedWorkload Of(Recording recording)
    {
        // A time without load counts, unless it is before the first report.
        var loads = recording.Loads().SkipWhile(plan => !(plan.Load.Total.Total > 0)).ToList();
        if (loads.Count(plan => plan.Load.Total.Total > 0) < 2)
            throw new RecordingException("The recording has fewer than two plans with load.");
        var begin = loads[0].At - recording.Settings.Policy.Period;
        var total = loads.Aggregate(default(OperationRates), (sum, plan) => sum + plan.Load.Total);
        // The length is rounded down to whole intervals of 20 s.
        var length = TimeSpan.FromSeconds(Math.Floor((loads[^1].At - begin).TotalSeconds / 20) * 20);
        return new RecordedWorkload([.. loads.Select(plan => (plan.At - begin).TotalSeconds)], [.. loads.Select(plan => plan.Load)])
        {
            Length = length,
            GetShare = total.Gets / total.Total,
            Gaps = TimeSpan.FromTicks(loads.Zip(loads.Skip(1), (plan, next) => next.At - plan.At).Where(time => time > recording.Settings.Policy.Period * 2).Sum(time => time.Ticks)),
        };
    }

    /// <inheritdoc/>
    public override double Rate(double seconds) => _loads[Index(seconds)].Total.Total;

    /// <inheritdoc/>
    public override long ShapeVersion(double seconds) => Index(seconds);

    /// <inheritdoc/>
    public override void FillShares(double seconds, Span<double> result)
    {
        var load = _loads[Index(seconds)];
        var total = load.Total.Total;
        for (var bin = 0; bin < load.Bins; bin++)
            result[bin] = total > 0 ? load[bin].Total / total : 1.0 / load.Bins;
    }

    /// <inheritdoc/>
    public override void FillGetShares(double seconds, Span<double> result)
    {
        var load = _loads[Index(seconds)];
        for (var bin = 0; bin < load.Bins; bin++)
            result[bin] = load[bin].Total > 0 ? load[bin].Gets / load[bin].Total : GetShare;
    }

    private int Index(double seconds)
    {
        var index = Array.BinarySearch(_ends, seconds);
        return Math.Min(index < 0 ? ~index : index + 1, _loads.Length - 1);
    }
}

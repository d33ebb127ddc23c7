using Stout.Director.Loads;
using Stout.Director.Recordings;

namespace Stout.Director.Simulation.Workloads;

/// <summary>The clients' load of a recording: constant between two plans of the recorded Director.</summary>
public sealed class RecordedWorkload : Workload
{
    private readonly double[] _ends;
    private readonly LoadHistogram[] _loads;

    private RecordedWorkload(double[] ends, LoadHistogram[] loads) => (_ends, _loads) = (ends, loads);

    /// <inheritdoc/>
    public override int Bins => _loads[0].Bins;

    /// <summary>Takes the load of a recording.</summary>
    /// <param name="recording">The recording. At least two plans with reports.</param>
    /// <returns>The load, from the beginning of the first plan's measured period on.</returns>
    /// <exception cref="RecordingException">The recording has fewer than two plans with load.</exception>
    public static RecordedWorkload Of(Recording recording)
    {
        var loads = recording.Loads().Where(plan => plan.Load.Total.Total > 0).ToList();
        if (loads.Count < 2)
            throw new RecordingException("The recording has fewer than two plans with load.");
        var begin = loads[0].At - recording.Settings.Policy.Period;
        var total = loads.Aggregate(default(OperationRates), (sum, plan) => sum + plan.Load.Total);
        // The length is rounded down to whole intervals of 20 s.
        var length = TimeSpan.FromSeconds(Math.Floor((loads[^1].At - begin).TotalSeconds / 20) * 20);
        return new RecordedWorkload([.. loads.Select(plan => (plan.At - begin).TotalSeconds)], [.. loads.Select(plan => plan.Load)])
        {
            Length = length,
            GetShare = total.Gets / total.Total,
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
        var total = Math.Max(load.Total.Total, double.Epsilon);
        for (var bin = 0; bin < load.Bins; bin++)
            result[bin] = load[bin].Total / total;
    }

    private int Index(double seconds)
    {
        var index = Array.BinarySearch(_ends, seconds);
        return Math.Min(index < 0 ? ~index : index + 1, _loads.Length - 1);
    }
}

using Stout.Director.Models;

namespace Stout.Director.Simulation.Running;

/// <summary>The latency table of a model for one objective and one number of servers that a get asks.</summary>
internal sealed class FlowTable
{
    private readonly double[] _loads;
    private readonly double[] _slow;
    private readonly double[] _dispersion;

    /// <exception cref="ModelException">The model has no latencies, or the threshold is outside the measured range.</exception>
    public FlowTable(ModelFile model, ServiceObjective objective, int fanOut)
    {
        var table = model.Latencies ?? throw new ModelException($"The model of {model.Type.Name} has no latencies: the flow mode needs a model that was trained on a simulator, or on telemetry with latencies.");
        Threshold = objective.Threshold.TotalSeconds;
        if (Threshold < table.Thresholds[0] || Threshold > table.Thresholds[^1])
            throw new ModelException(FormattableString.Invariant($"The model of {model.Type.Name} knows latencies from {table.Thresholds[0]} to {table.Thresholds[^1]} s; the threshold is {Threshold} s."));
        Model = model.Type.SteadyState;
        Saturation = table.Saturation;
        LongestQueue = table.LongestQueue;
        _loads = [.. table.Loads];
        // If a get asks two servers, each server has the square root of the measured share, so that the product over both is that share.
        _slow = [.. (fanOut == 1 ? table.SlowAtOne : table.SlowAtTwo).Select(row => At(table.Thresholds, row, Threshold)).Select(share => fanOut == 1 ? share : Math.Sqrt(share))];
        _dispersion = [.. table.Dispersion];
    }

    public SteadyStateModel Model { get; }

    public double Threshold { get; }

    public double Saturation { get; }

    public double LongestQueue { get; }

    /// <summary>The share of slow visits at a load.</summary>
    public double Slow(double load) => load >= Saturation ? 1 : Interpolate(_loads, _slow, load);

    /// <summary>The dispersion at a share of slow visits.</summary>
    public double Dispersion(double slow) => slow >= _slow[^1] ? 0 : Interpolate(_slow, _dispersion, slow);

    private static double Interpolate(double[] xs, double[] ys, double x)
    {
        if (x <= xs[0])
            return ys[0];
        var i = Array.BinarySearch(xs, x);
        if (i < 0)
            i = ~i;
        return i >= xs.Length ? ys[^1] : ys[i - 1] + (ys[i] - ys[i - 1]) * (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
    }

    // Interpolates exponentially, since the shares fall about exponentially as the threshold grows.
    private static double At(IReadOnlyList<double> thresholds, IReadOnlyList<double> row, double threshold)
    {
        for (var i = 1; i < row.Count; i++)
        {
            if (threshold > thresholds[i])
                continue;
            var part = (threshold - thresholds[i - 1]) / (thresholds[i] - thresholds[i - 1]);
            return row[i] > 0 ? row[i - 1] * Math.Pow(row[i] / row[i - 1], part) : row[i - 1] * (1 - part);
        }

        return row[^1];
    }
}

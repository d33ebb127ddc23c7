namespace Stout.Director.Simulation.Workloads;

/// <summary>A recorded load: means over equal steps, joined by straight lines from middle to middle.</summary>
/// <param name="rates">Mean requests per second of each step. At least one.</param>
/// <param name="step">The length of a step in simulated time.</param>
/// <param name="shares">The constant distribution over the bins.</param>
internal sealed class TraceWorkload(IReadOnlyList<double> rates, TimeSpan step, IReadOnlyList<double> shares) : Workload
{
    /// <inheritdoc/>
    public override int Bins => shares.Count;

    /// <inheritdoc/>
    public override double Rate(double seconds)
    {
        var position = Math.Clamp(seconds / step.TotalSeconds - 0.5, 0, rates.Count - 1);
        var first = (int)position;
        return first + 1 < rates.Count ? rates[first] + (rates[first + 1] - rates[first]) * (position - first) : rates[^1];
    }

    /// <inheritdoc/>
    public override void FillShares(double seconds, Span<double> result)
    {
        for (var bin = 0; bin < shares.Count; bin++)
            result[bin] = shares[bin];
    }
}

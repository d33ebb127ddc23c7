namespace Stout.Director.Simulation.Workloads;

/// <summary>A constant rate on constant shares.</summary>
/// <param name="rate">Requests per second.</param>
/// <param name="shares">The distribution over the bins.</param>
internal sealed class SteadyWorkload(double rate, IReadOnlyList<double> shares) : Workload
{
    /// <inheritdoc/>
    public override int Bins => shares.Count;

    /// <inheritdoc/>
    public override double Rate(double seconds) => rate;

    /// <inheritdoc/>
    public override void FillShares(double seconds, Span<double> result)
    {
        for (var bin = 0; bin < shares.Count; bin++)
            result[bin] = shares[bin];
    }
}

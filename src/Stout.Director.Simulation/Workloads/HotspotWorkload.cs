namespace Stout.Director.Simulation.Workloads;

/// <summary>
/// A flat load plus a single bin whose load rises linearly. In the paper's §6.2 the whole load doubles within 5 min, and all of the added load is on one
/// key.
/// </summary>
/// <param name="rate">Requests per second without the hot bin.</param>
/// <param name="shares">The distribution of the flat load over the bins.</param>
/// <param name="hotBin">The bin that gets hot.</param>
/// <param name="hotRate">Requests per second that the hot bin adds at the end of the rise.</param>
/// <param name="start">The time from the beginning of the measured run to the beginning of the rise.</param>
/// <param name="rise">The rise's length.</param>
internal sealed class HotspotWorkload(double rate, IReadOnlyList<double> shares, int hotBin, double hotRate, TimeSpan start, TimeSpan rise) : Workload
{
    /// <inheritdoc/>
    public override int Bins => shares.Count;

    /// <inheritdoc/>
    public override double Rate(double seconds) => rate + Hot(seconds);

    /// <inheritdoc/>
    public override long ShapeVersion(double seconds) => (long)Math.Clamp(seconds - start.TotalSeconds, 0, rise.TotalSeconds);

    /// <inheritdoc/>
    public override void FillShares(double seconds, Span<double> result)
    {
        var hot = Hot(seconds);
        for (var bin = 0; bin < shares.Count; bin++)
            result[bin] = (rate * shares[bin] + (bin == hotBin ? hot : 0)) / (rate + hot);
    }

    private double Hot(double seconds) => hotRate * Math.Clamp((seconds - start.TotalSeconds) / rise.TotalSeconds, 0, 1);
}

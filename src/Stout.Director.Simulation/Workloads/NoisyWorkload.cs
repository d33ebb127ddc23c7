using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Workloads;

/// <summary>Adds log-normal noise to each bin of another load. The noise is drawn anew in every step.</summary>
/// <param name="inner">The load without noise.</param>
/// <param name="deviation">Standard deviation of the logarithm of a bin's factor.</param>
/// <param name="step">The time for which a factor holds.</param>
/// <param name="seed">Seed of the noise.</param>
internal sealed class NoisyWorkload(Workload inner, double deviation, TimeSpan step, int seed) : Workload
{
    private readonly double[] _weights = new double[inner.Bins];
    private double _sum = 1;
    private long _version = long.MinValue;

    /// <inheritdoc/>
    public override int Bins => inner.Bins;

    /// <inheritdoc/>
    public override double Rate(double seconds)
    {
        Draw(seconds);
        return inner.Rate(seconds) * _sum;
    }

    /// <inheritdoc/>
    public override long ShapeVersion(double seconds) => Step(seconds) * 1_000_003 + inner.ShapeVersion(seconds);

    /// <inheritdoc/>
    public override void FillShares(double seconds, Span<double> result)
    {
        Draw(seconds);
        for (var bin = 0; bin < _weights.Length; bin++)
            result[bin] = _weights[bin] / _sum;
    }

    /// <inheritdoc/>
    public override void FillGetShares(double seconds, Span<double> result) => inner.FillGetShares(seconds, result);

    private long Step(double seconds) => (long)Math.Floor(seconds / step.TotalSeconds);

    private void Draw(double seconds)
    {
        var version = ShapeVersion(seconds);
        if (version == _version)
            return;
        _version = version;
        var random = new Xoshiro((ulong)(seed * 1_000_000_007L + Step(seconds)));
        inner.FillShares(seconds, _weights);
        for (var bin = 0; bin < _weights.Length; bin++)
            _weights[bin] *= Math.Exp(deviation * random.NextNormal() - deviation * deviation / 2);
        _sum = _weights.Sum();
    }
}

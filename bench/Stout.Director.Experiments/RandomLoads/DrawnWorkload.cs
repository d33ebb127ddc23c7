using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Experiments.RandomLoads;

/// <summary>The load of a drawn shape: a rate that all bins share, noise of each bin, and further load of single bins. The distribution changes every 10 s.</summary>
/// <param name="rate">Requests per second at a factor of 1.</param>
/// <param name="shares">The distribution over the bins without noise.</param>
/// <param name="shape">The shape.</param>
/// <param name="seed">Seed of the bins' noise.</param>
internal sealed class DrawnWorkload(double rate, double[] shares, LoadShape shape, int seed) : Workload
{
    private const double Step = 10;

    private readonly double[] _weights = new double[shares.Length];
    private double _sum = 1;
    private long _version = long.MinValue;

    public override int Bins => shares.Length;

    public override double Rate(double seconds)
    {
        Weigh(seconds);
        return rate * shape.Whole(seconds) * _sum;
    }

    public override long ShapeVersion(double seconds) => (long)Math.Floor(seconds / Step);

    public override void FillShares(double seconds, Span<double> result)
    {
        Weigh(seconds);
        for (var bin = 0; bin < _weights.Length; bin++)
            result[bin] = _weights[bin] / _sum;
    }

    private void Weigh(double seconds)
    {
        var version = ShapeVersion(seconds);
        if (version == _version)
            return;
        _version = version;
        var at = version * Step;
        // Noise holds for `NoiseSeconds`, so it is drawn from the number of that interval.
        var random = new Random(unchecked(seed + (int)Math.Floor(at / shape.NoiseSeconds) * (int)0x9E3779B1));
        for (var bin = 0; bin < _weights.Length; bin++)
            _weights[bin] = shares[bin] * Math.Exp((shape.BinNoise * Normal(random)) - (shape.BinNoise * shape.BinNoise / 2));
        foreach (var (bin, share) in shape.Hot(at))
            _weights[bin % _weights.Length] += share;
        _sum = _weights.Sum();
    }

    internal static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}

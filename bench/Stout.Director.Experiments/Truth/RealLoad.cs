using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Experiments.Truth;

/// <summary>A load drawn by its seed: a rate on straight lines between levels that wander, random shares of the bins, and a random mix.</summary>
internal sealed class RealLoad : Workload
{
    /// <summary>The time from one level to the next.</summary>
    public static readonly TimeSpan LevelTime = TimeSpan.FromMinutes(1);

    private const double Least = 0.15;

    // A load that outruns the boot time misses every percentile, in what-if and in truth: then their comparison says nothing.
    private const double MostChange = 0.35;

    private readonly double[] _levels;
    private readonly double[] _shares;

    private RealLoad(double[] levels, double[] shares) => (_levels, _shares) = (levels, shares);

    public override int Bins => _shares.Length;

    /// <summary>Draws a load.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="length">The length.</param>
    /// <param name="peak">The highest rate that it may reach, in requests per second.</param>
    public static RealLoad Draw(int seed, TimeSpan length, double peak)
    {
        var random = new Random(seed);
        var levels = new double[Math.Max(3, (int)Math.Ceiling(length / LevelTime) + 1)];
        levels[0] = 0.5 + (0.5 * random.NextDouble());
        for (var i = 1; i < levels.Length; i++)
        {
            var level = levels[i - 1] + (MostChange * ((2 * random.NextDouble()) - 1));
            // At its bounds the load turns back.
            levels[i] = level < Least ? (2 * Least) - level : level > 1 ? 2 - level : level;
        }

        var shares = Shares.Zipf(TruthSetup.Bins, TruthSetup.Bins * 2_000, 0.2 + (0.6 * random.NextDouble()), random.Next(1_000));
        return new RealLoad([.. levels.Select(level => level * peak)], shares) { Length = length, GetShare = 0.7 + (0.25 * random.NextDouble()) };
    }

    public override double Rate(double seconds)
    {
        var position = Math.Clamp(seconds / Length.TotalSeconds, 0, 1) * (_levels.Length - 1);
        var first = Math.Min((int)position, _levels.Length - 2);
        return _levels[first] + ((_levels[first + 1] - _levels[first]) * (position - first));
    }

    public override void FillShares(double seconds, Span<double> result) => _shares.CopyTo(result);
}

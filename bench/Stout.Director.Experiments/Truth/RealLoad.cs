using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Experiments.Truth;

/// <summary>A load drawn by its seed: a rate on straight lines between random levels, random shares of the bins, and a random mix.</summary>
internal sealed class RealLoad : Workload
{
    private const double Least = 0.2;

    private readonly double[] _levels;
    private readonly double[] _shares;

    private RealLoad(double[] levels, double[] shares) => (_levels, _shares) = (levels, shares);

    public override int Bins => _shares.Length;

    /// <summary>Draws a load whose peak fills the most servers to 80 %.</summary>
    public static RealLoad Draw(int seed, TimeSpan length)
    {
        var random = new Random(seed);
        var levels = Enumerable.Range(0, 5 + random.Next(4)).Select(_ => Least + ((1 - Least) * random.NextDouble())).ToArray();
        var peak = 0.8 * TruthSetup.MostServers * TruthSetup.FullRate / levels.Max();
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

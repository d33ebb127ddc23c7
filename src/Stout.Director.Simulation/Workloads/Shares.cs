using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Workloads;

/// <summary>Distributions over bins.</summary>
internal static class Shares
{
    // The number of keys that are placed one by one. The load of further keys is so small that it is spread evenly over the bins.
    private const int Ranked = 100_000;

    /// <summary>Zipf-distributed keys spread over bins at random.</summary>
    /// <param name="bins">The number of bins.</param>
    /// <param name="keys">The number of keys. At least <paramref name="bins"/>.</param>
    /// <param name="exponent">Zipf's exponent. Default: 0.99, as in YCSB.</param>
    /// <param name="seed">Seed of the spreading.</param>
    /// <returns>A share for each bin; they add up to 1.</returns>
    public static double[] Zipf(int bins, int keys, double exponent = 0.99, int seed = 1)
    {
        var random = new Xoshiro((ulong)seed);
        var shares = new double[bins];
        var ranked = Math.Min(keys, Ranked);
        for (var rank = 1; rank <= ranked; rank++)
            shares[random.NextInt(bins)] += Math.Pow(rank, -exponent);
        // The total weight of the further keys, approximated by an integral.
        var rest = (Math.Pow(keys, 1 - exponent) - Math.Pow(ranked, 1 - exponent)) / (1 - exponent);
        var sum = shares.Sum() + rest;
        for (var bin = 0; bin < bins; bin++)
            shares[bin] = (shares[bin] + rest / bins) / sum;
        return shares;
    }
}

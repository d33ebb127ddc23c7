namespace Stout.Director.Loads;

/// <summary>
/// Counts a server's visits to each bin, either all visits or a random sample (the paper samples 2 % of gets and 40 % of puts, §5.5). Not thread-safe.
/// </summary>
public sealed class VisitCounter
{
    private readonly int[] _gets;
    private readonly int[] _puts;
    private readonly double _getShare;
    private readonly double _putShare;
    private readonly Random _random;

    /// <summary>Creates a counter.</summary>
    /// <param name="bins">The number of bins. At least 1.</param>
    /// <param name="getShare">The share of gets that is counted. Above 0, at most 1 (the default: every get).</param>
    /// <param name="putShare">The share of puts that is counted. Above 0, at most 1 (the default: every put).</param>
    /// <param name="seed">Seed of the sampling.</param>
    /// <exception cref="InvalidPolicyException">A share or the number of bins is out of range.</exception>
    public VisitCounter(int bins, double getShare = 1, double putShare = 1, int seed = 0)
    {
        Range.Check(nameof(bins), bins, 1, int.MaxValue);
        Range.Check(nameof(getShare), getShare, double.Epsilon, 1);
        Range.Check(nameof(putShare), putShare, double.Epsilon, 1);
        (_gets, _puts, _getShare, _putShare, _random) = (new int[bins], new int[bins], getShare, putShare, new Random(seed));
    }

    /// <summary>Counts one visit by a get.</summary>
    /// <param name="bin">The bin.</param>
    /// <exception cref="UnknownBinException">There is no such bin.</exception>
    public void Get(int bin) => Count(_gets, bin, _getShare);

    /// <summary>Counts one visit by a put.</summary>
    /// <param name="bin">The bin.</param>
    /// <exception cref="UnknownBinException">There is no such bin.</exception>
    public void Put(int bin) => Count(_puts, bin, _putShare);

    /// <summary>Returns the visit rates of some bins since the last call, and resets the counts of all bins.</summary>
    /// <param name="bins">The bins that the server serves.</param>
    /// <param name="elapsed">The time since the last call. Above 0.</param>
    /// <returns>One entry for each bin: the counted visits, divided by the sampled share and by the time.</returns>
    public IReadOnlyList<BinVisits> Harvest(IEnumerable<int> bins, TimeSpan elapsed)
    {
        var visits = bins.Select(bin => new BinVisits(bin, Rate(_gets[bin], _getShare), Rate(_puts[bin], _putShare))).ToList();
        Array.Clear(_gets);
        Array.Clear(_puts);
        return visits;

        double Rate(int count, double share) => count / share / elapsed.TotalSeconds;
    }

    private void Count(int[] counts, int bin, double share)
    {
        if ((uint)bin >= (uint)counts.Length)
            throw new UnknownBinException(bin, counts.Length);
        if (share >= 1 || _random.NextDouble() < share)
            counts[bin]++;
    }
}

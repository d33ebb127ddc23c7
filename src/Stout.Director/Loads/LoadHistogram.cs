namespace Stout.Director.Loads;

/// <summary>The clients' request rates of every bin over one period (the paper's §5.5). Immutable.</summary>
/// <param name="bins">One entry a bin; the histogram keeps the array.</param>
internal sealed class LoadHistogram(OperationRates[] bins)
{
    /// <summary>The number of bins.</summary>
    public int Bins => bins.Length;

    /// <summary>The rates of one bin.</summary>
    /// <param name="bin">The bin, from 0.</param>
    public OperationRates this[int bin] => bins[bin];

    /// <summary>The sum over all bins.</summary>
    public OperationRates Total => bins.Aggregate(default(OperationRates), (sum, bin) => sum + bin);
}

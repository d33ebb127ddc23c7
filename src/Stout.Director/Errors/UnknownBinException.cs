namespace Stout.Director;

/// <summary>A bin outside the range of the layout was named.</summary>
/// <param name="bin">The bin.</param>
/// <param name="bins">The number of bins.</param>
public sealed class UnknownBinException(int bin, int bins) : DirectorException(FormattableString.Invariant($"Bin {bin} does not exist: bins are 0 to {bins - 1}."))
{
    /// <summary>The bin that was named.</summary>
    public int Bin => bin;
}

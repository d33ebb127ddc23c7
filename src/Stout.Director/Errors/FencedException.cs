namespace Stout.Director;

/// <summary>A newer Director has claimed the cluster. This Director stops; it can start again with a new claim.</summary>
/// <param name="epoch">This Director's epoch.</param>
public sealed class FencedException(long epoch) : DirectorException($"A newer Director has claimed the cluster; the one of epoch {epoch} stops.")
{
    /// <summary>The epoch of the Director that stops.</summary>
    public long Epoch => epoch;
}

namespace Stout.Director.Layouts;

/// <summary>
/// Owner and replicas of every bin (a range of keys), with the version and the epoch of the last change. Immutable. An unfinished copy is not a replica.
/// </summary>
public sealed class Layout
{
    private readonly int[][] _replicas;

    /// <summary>Creates a layout.</summary>
    /// <param name="replicas">The servers of every bin, the owner first; the layout keeps the array.</param>
    /// <param name="version">Grows with every change.</param>
    /// <param name="epoch">The epoch of the Director that made the last change.</param>
    public Layout(int[][] replicas, long version, long epoch) => (_replicas, Version, Epoch) = (replicas, version, epoch);

    /// <summary>Grows with every change.</summary>
    public long Version { get; }

    /// <summary>The epoch of the Director that made the last change.</summary>
    public long Epoch { get; }

    /// <summary>The number of bins.</summary>
    public int Bins => _replicas.Length;

    /// <summary>The servers that hold a whole replica of a bin, the owner first.</summary>
    /// <param name="bin">The bin.</param>
    /// <returns>The servers' numbers; empty if the bin is lost.</returns>
    /// <exception cref="UnknownBinException">There is no such bin.</exception>
    public ReadOnlySpan<int> Replicas(int bin) => (uint)bin < (uint)_replicas.Length ? _replicas[bin] : throw new UnknownBinException(bin, _replicas.Length);

    /// <summary>Whether a server holds a whole replica of a bin.</summary>
    /// <param name="bin">The bin.</param>
    /// <param name="server">The server.</param>
    /// <returns>Whether it does.</returns>
    public bool Holds(int bin, int server) => Replicas(bin).Contains(server);

    /// <summary>The layout after changes of some bins.</summary>
    /// <param name="changes">The new servers of each changed bin.</param>
    /// <param name="epoch">The epoch of the Director that asked for the changes.</param>
    /// <returns>A layout with the next version.</returns>
    public Layout With(IEnumerable<KeyValuePair<int, int[]>> changes, long epoch)
    {
        var replicas = (int[][])_replicas.Clone();
        foreach (var (bin, servers) in changes)
            replicas[bin] = servers;
        return new Layout(replicas, Version + 1, epoch);
    }
}

using Stout.Director.Loads;

namespace Stout.Director.Layouts;

/// <summary>The cluster at one moment, as far as it is known.</summary>
/// <param name="Layout">The layout in force.</param>
/// <param name="Servers">The leased servers. A server that died or was released is not among them.</param>
/// <param name="Copies">The copies under way.</param>
/// <param name="Reports">The reports that have arrived since the last observation with reports.</param>
/// <param name="BinBytes">The size of each bin in bytes.</param>
public sealed record ClusterObservation(
    Layout Layout, IReadOnlyList<ServerState> Servers, IReadOnlyList<RunningCopy> Copies, IReadOnlyList<ServerReport> Reports, IReadOnlyList<long> BinBytes)
{
    /// <summary>The operator's orders by server. Servers without an order are missing. Default: empty.</summary>
    public IReadOnlyDictionary<int, ServerOrder> Orders { get; init; } = new Dictionary<int, ServerOrder>();

    /// <summary>
    /// The share of the clients' reads since the last observation with reports that were slower than the objective's threshold, from 0 to 1. The Director
    /// compares it with its prediction. Default: null, not measured.
    /// </summary>
    public double? SlowShare { get; init; }
}

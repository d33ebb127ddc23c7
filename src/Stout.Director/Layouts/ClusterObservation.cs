using Stout.Director.Loads;

namespace Stout.Director.Layouts;

/// <summary>The cluster at one moment, as far as it is known.</summary>
/// <param name="Layout">The layout in force.</param>
/// <param name="Servers">The leased servers. A server that died or was released is not among them.</param>
/// <param name="Copies">The copies under way.</param>
/// <param name="Reports">The reports that have arrived since the last observation with reports.</param>
/// <param name="BinBytes">The size of each bin in bytes.</param>
public sealed record ClusterObservation(
    Layout Layout, IReadOnlyList<ServerState> Servers, IReadOnlyList<RunningCopy> Copies, IReadOnlyList<ServerReport> Reports, IReadOnlyList<long> BinBytes);

namespace Stout.Director.Loads;

/// <summary>One server's statistics of one period. A server that serves no bin reports an empty list; a missing report says nothing about load.</summary>
/// <param name="Server">The server.</param>
/// <param name="Sequence">Grows with every report of the server, so that repeated and overtaken reports are recognized.</param>
/// <param name="Age">The time since the end of the reported period, measured by the cluster.</param>
/// <param name="Visits">The bins that the server serves.</param>
public sealed record ServerReport(int Server, long Sequence, TimeSpan Age, IReadOnlyList<BinVisits> Visits);

namespace Stout.Director.Actions;

/// <summary>Drops replicas. The cluster refuses to drop the last replica of a bin.</summary>
/// <param name="Action">The id of the action.</param>
/// <param name="Bins">The bins.</param>
/// <param name="Server">The server that drops the replicas.</param>
public sealed record DropReplicas(long Action, IReadOnlyList<int> Bins, int Server) : ClusterCommand(Action);

namespace Stout.Director.Actions;

/// <summary>Drops replicas. The cluster refuses to drop a last one.</summary>
/// <param name="Action">The action.</param>
/// <param name="Bins">The bins.</param>
/// <param name="Server">The server that drops them.</param>
public sealed record DropReplicas(long Action, IReadOnlyList<int> Bins, int Server) : ClusterCommand(Action);

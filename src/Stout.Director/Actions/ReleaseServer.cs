namespace Stout.Director.Actions;

/// <summary>Gives a server back to the pool. The cluster refuses while the server holds a bin or receives one.</summary>
/// <param name="Action">The id of the action.</param>
/// <param name="Server">The server.</param>
public sealed record ReleaseServer(long Action, int Server) : ClusterCommand(Action);

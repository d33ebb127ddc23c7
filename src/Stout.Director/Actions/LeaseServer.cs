namespace Stout.Director.Actions;

/// <summary>Leases a server. The action's id identifies the request, so a repeated request leases no second server.</summary>
/// <param name="Action">The id of the action.</param>
/// <param name="Type">The server type.</param>
public sealed record LeaseServer(long Action, string Type) : ClusterCommand(Action);

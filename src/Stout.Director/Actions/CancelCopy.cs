namespace Stout.Director.Actions;

/// <summary>Ends a copy; the copy's unfinished bins are dropped at the target.</summary>
/// <param name="Action">The id of the action.</param>
public sealed record CancelCopy(long Action) : ClusterCommand(Action);

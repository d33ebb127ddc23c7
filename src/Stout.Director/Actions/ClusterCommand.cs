namespace Stout.Director.Actions;

/// <summary>One step of an action. A cluster carries it out at most once for its action and kind, and refuses it under an older epoch.</summary>
/// <param name="Action">The action that it belongs to.</param>
public abstract record ClusterCommand(long Action);

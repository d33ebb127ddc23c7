namespace Stout.Director.Actions;

/// <summary>One step of an action. A cluster carries out at most one command of a kind for each action, and fences commands of older epochs.</summary>
/// <param name="Action">The id of the action to which the command belongs.</param>
public abstract record ClusterCommand(long Action);

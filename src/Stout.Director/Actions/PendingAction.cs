namespace Stout.Director.Actions;

/// <summary>An unfinished action, with the times of its plan and of its copy.</summary>
internal sealed class PendingAction(DirectorAction action, TimeSpan planned)
{
    public DirectorAction Action => action;

    /// <summary>The Director's time when the action was planned, or adopted from an earlier Director.</summary>
    public TimeSpan Planned => planned;

    /// <summary>The Director's time when it first observed the action's copy; null before.</summary>
    public TimeSpan? Started { get; set; }
}

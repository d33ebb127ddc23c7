namespace Stout.Director.Actions;

/// <summary>An unfinished action and how far it is.</summary>
internal sealed class PendingAction(DirectorAction action, TimeSpan planned)
{
    public DirectorAction Action => action;

    /// <summary>When it was planned, or adopted from an earlier Director.</summary>
    public TimeSpan Planned => planned;

    /// <summary>When its copy began; null before.</summary>
    public TimeSpan? Started { get; set; }
}

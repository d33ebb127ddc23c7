namespace Stout.Director.Actions;

/// <summary>An action that ended, with the way in which it ended.</summary>
internal readonly record struct EndedAction(PendingAction Pending, ActionEnd End);

/// <summary>The ways in which an action ends.</summary>
internal enum ActionEnd
{
    /// <summary>The action is done.</summary>
    Done,

    /// <summary>The cluster has changed, so that the action is impossible or pointless.</summary>
    Overtaken,

    /// <summary>The action took longer than <see cref="DirectorPolicy.CancelAfter"/>.</summary>
    TookTooLong,
}

namespace Stout.Director.Actions;

/// <summary>An action that ended, and how.</summary>
internal readonly record struct EndedAction(PendingAction Pending, ActionEnd End);

/// <summary>How an action ended.</summary>
internal enum ActionEnd
{
    /// <summary>The action is done.</summary>
    Done,

    /// <summary>The cluster has changed, so that it makes no sense any more.</summary>
    Overtaken,

    /// <summary>The action took longer than <see cref="DirectorPolicy.CancelAfter"/>.</summary>
    TookTooLong,
}

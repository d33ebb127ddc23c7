namespace Stout.Director.Actions;

/// <summary>The cluster's answer to a command.</summary>
public enum CommandOutcome
{
    /// <summary>The command was carried out or begun, now or by an earlier attempt.</summary>
    Accepted,

    /// <summary>The command is not possible now, for example because a server died or the pool is empty. The Director plans anew.</summary>
    Refused,

    /// <summary>A newer Director has claimed the cluster: this one has to stop.</summary>
    Fenced,

    /// <summary>No answer came: the command may or may not have been carried out. The next observation tells.</summary>
    Unknown,
}

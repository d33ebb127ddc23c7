namespace Stout.Director.Actions;

/// <summary>The kinds of action.</summary>
public enum ActionKind
{
    /// <summary>Bins go from one server to another: a copy, then the source drops them.</summary>
    Move,

    /// <summary>Bins get a further replica.</summary>
    Replicate,

    /// <summary>Bins lose a replica.</summary>
    Remove,

    /// <summary>Bins without any whole replica are given to a server, which loads them from durable storage if there is one.</summary>
    Recover,

    /// <summary>A server is leased from the pool.</summary>
    Lease,

    /// <summary>An empty server is given back to the pool.</summary>
    Release,
}

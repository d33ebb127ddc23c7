namespace Stout.Storage;

/// <summary>What became of one key of a write batch.</summary>
public enum WriteOutcomeKind
{
    /// <summary>No certain answer: it may or may not have been applied.</summary>
    Unknown,

    /// <summary>Applied and durable.</summary>
    Committed,

    /// <summary>Not applied: the store holds another stamp than the expected one.</summary>
    Conflict,

    /// <summary>Not applied: the store holds a stamp of a larger epoch.</summary>
    Fenced,

    /// <summary>Not applied: the store is overloaded. It is tried again, after the store's retry-after where there is one.</summary>
    Overloaded,

    /// <summary>Not applied: the store could not be reached, nothing was sent. It is tried again.</summary>
    Unreachable,

    /// <summary>Not applied, and would not be if tried again.</summary>
    Refused,

    /// <summary>
    /// Not applied: something holds this key alone, such as another transaction's lock. The lane sends the key again after a growing delay
    /// of its own, or after the store's retry-after, for <see cref="StoutOptions.UnreachableTimeout"/>. Other keys and the pacing are not affected.
    /// </summary>
    Busy,

    /// <summary>
    /// Not applied: the request exceeded a limit of the store on the time or the size of one request. The lane sends the keys again. A key
    /// that was alone in its request is treated as <see cref="Busy"/>.
    /// </summary>
    LimitExceeded,
}

namespace Stout.Storage;

/// <summary>What became of one key of a read batch.</summary>
public enum ReadOutcomeKind
{
    /// <summary>No answer. It is tried again.</summary>
    Unknown,

    /// <summary>Read: the key exists, or it does not.</summary>
    Read,

    /// <summary>The store holds a stamp of a larger epoch.</summary>
    Fenced,

    /// <summary>The store is overloaded. It is tried again, after the store's retry-after where there is one.</summary>
    Overloaded,

    /// <summary>The store could not be reached. It is tried again.</summary>
    Unreachable,

    /// <summary>Not possible, and would not be if tried again.</summary>
    Refused,

    /// <summary>
    /// Something holds this key alone, such as a lock that its claim needs. The lane reads the key again after a growing delay of its own,
    /// or after the store's retry-after, for <see cref="StoutOptions.UnreachableTimeout"/>. Other keys and the pacing are not affected.
    /// </summary>
    Busy,

    /// <summary>
    /// The request exceeded a limit of the store on the time or the size of one request. The lane reads the keys again. A key that was
    /// alone in its request is treated as <see cref="Busy"/>.
    /// </summary>
    LimitExceeded,
}

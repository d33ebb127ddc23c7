namespace Stout.Storage;

/// <summary>The kinds of outcomes of writing one key.</summary>
public enum WriteOutcomeKind
{
    /// <summary>No certain answer: the write may or may not have been applied.</summary>
    Unknown,

    /// <summary>Applied and durable.</summary>
    Committed,

    /// <summary>Not applied: the store holds another version than the expected one, under the owner that the write names.</summary>
    Conflict,

    /// <summary>Not applied: the store holds another owner than the one that the write names.</summary>
    Fenced,

    /// <summary>Not applied: the store is overloaded. The lane retries, after the store's requested delay if it gave one.</summary>
    Overloaded,

    /// <summary>Not applied: the store could not be reached, and nothing was sent. The lane retries.</summary>
    Unreachable,

    /// <summary>Not applied, and a retry would not help.</summary>
    Refused,

    /// <summary>
    /// Not applied: something holds this key alone, such as another transaction's lock. The lane retries the key after a growing delay of its own, or
    /// the store's requested delay, for <see cref="StoutOptions.UnreachableTimeout"/>. Other keys and the pacing are not affected.
    /// </summary>
    Busy,

    /// <summary>
    /// Not applied: the request exceeded a limit of the store on the time or the size of one request. The lane sends the keys again. A single key is
    /// treated as <see cref="Busy"/>.
    /// </summary>
    LimitExceeded,
}

namespace Stout.Storage;

/// <summary>The kinds of outcomes of reading one key.</summary>
public enum ReadOutcomeKind
{
    /// <summary>No answer. The lane retries.</summary>
    Unknown,

    /// <summary>Read: the key exists, or it does not.</summary>
    Read,

    /// <summary>The store holds another owner, or another version, than the claim names; or another claim came before the parts were read.</summary>
    Fenced,

    /// <summary>The store is overloaded. The lane retries, after the store's requested delay if it gave one.</summary>
    Overloaded,

    /// <summary>The store could not be reached. The lane retries.</summary>
    Unreachable,

    /// <summary>The key cannot be read, and a retry would not help.</summary>
    Refused,

    /// <summary>
    /// Something holds this key alone, such as a lock that its claim needs. The lane retries the key after a growing delay of its own, or the store's
    /// requested delay, for <see cref="StoutOptions.UnreachableTimeout"/>. Other keys and the pacing are not affected.
    /// </summary>
    Busy,

    /// <summary>
    /// The request exceeded a limit of the store on the time or the size of one request. The lane reads the keys again. A single key is treated as
    /// <see cref="Busy"/>.
    /// </summary>
    LimitExceeded,
}

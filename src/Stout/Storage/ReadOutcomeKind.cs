namespace Stout.Storage;

/// <summary>The kinds of outcomes of reading one key. Each has the number of the kind of a write that means the same.</summary>
public enum ReadOutcomeKind
{
    /// <summary>No answer. The lane retries.</summary>
    Unknown = WriteOutcomeKind.Unknown,

    /// <summary>Read: the key exists, or it does not.</summary>
    Read = WriteOutcomeKind.Committed,

    /// <summary>The store holds another owner, or another version, than the claim names; or another claim came before the parts were read.</summary>
    Fenced = WriteOutcomeKind.Fenced,

    /// <summary>The store is overloaded. The lane retries, after the store's requested delay if it gave one.</summary>
    Overloaded = WriteOutcomeKind.Overloaded,

    /// <summary>The store could not be reached. The lane retries.</summary>
    Unreachable = WriteOutcomeKind.Unreachable,

    /// <summary>The key cannot be read, and a retry would not help.</summary>
    Refused = WriteOutcomeKind.Refused,

    /// <summary>
    /// Something holds this key alone, such as a lock that its claim needs. The lane retries the key after a growing delay of its own, or the store's
    /// requested delay, for <see cref="StoutOptions.UnreachableTimeout"/>. Other keys and the pacing are not affected.
    /// </summary>
    Busy = WriteOutcomeKind.Busy,

    /// <summary>
    /// The request exceeded a limit of the store on the time or the size of one request. The lane reads the keys again. A single key is treated as
    /// <see cref="Busy"/>.
    /// </summary>
    LimitExceeded = WriteOutcomeKind.LimitExceeded,
}

namespace Stout.Storage;

/// <summary>Kinds of trouble with a store.</summary>
public enum StoreErrorKind
{
    /// <summary>The store can't be reached; the request was certainly not sent. It is tried again.</summary>
    Unreachable,

    /// <summary>The store is overloaded; the request was certainly not applied. It is tried again, later.</summary>
    Overloaded,

    /// <summary>
    /// Something holds one key, and that key alone: another transaction's lock, a throttled logical partition. Certainly not applied. The
    /// key is tried again by itself.
    /// </summary>
    Busy,

    /// <summary>
    /// The request exceeded a limit of the store on the time or the size of one request. Certainly not applied. Smaller requests may pass.
    /// </summary>
    LimitExceeded,

    /// <summary>No answer in time, or the connection was lost: the request may have been applied.</summary>
    Unknown,

    /// <summary>The store refuses the request, and would again; it was certainly not applied.</summary>
    Refused,

    /// <summary>The store has no room left; the request was certainly not applied.</summary>
    Full,

    /// <summary>The store is locked by another process.</summary>
    Locked,

    /// <summary>
    /// What is there was not made by this library, or for another set of partitions; or something of the set is missing: a partition, its
    /// table, schema or container.
    /// </summary>
    LayoutMismatch,

    /// <summary>What is there is damaged.</summary>
    Corrupt,
}

using System.Text.Json.Serialization;

namespace Stout.Storage;

/// <summary>The kinds of store errors.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<StoreErrorKind>))]
public enum StoreErrorKind
{
    /// <summary>The store cannot be reached, and the request was certainly not sent. The lane retries.</summary>
    Unreachable,

    /// <summary>The store is overloaded, and the request was certainly not applied. The lane retries later.</summary>
    Overloaded,

    /// <summary>
    /// Something holds this key alone, such as another transaction's lock or a throttled logical partition. The request was certainly not applied.
    /// The lane retries the key by itself.
    /// </summary>
    Busy,

    /// <summary>
    /// The request exceeded a limit of the store on the time or the size of one request. It was certainly not applied. Smaller requests may pass.
    /// </summary>
    LimitExceeded,

    /// <summary>The answer did not come in time, or the connection was lost: the request may have been applied.</summary>
    Unknown,

    /// <summary>The store refuses the request, and would refuse it again. The request was certainly not applied.</summary>
    Refused,

    /// <summary>The store is full. The request was certainly not applied.</summary>
    Full,

    /// <summary>The store is locked by another process.</summary>
    Locked,

    /// <summary>
    /// The store's contents were not created by this library, or belong to another set of partitions. Or a partition, table, schema or container of
    /// the set is missing. SQLite: also, the log beside a file belongs to another file.
    /// </summary>
    LayoutMismatch,

    /// <summary>The store's contents are damaged.</summary>
    Corrupt,

    /// <summary>
    /// The header of a long key (<see cref="LongKeys"/>) keeps another key: two keys have the same hash, or the row is damaged. Nothing was changed, and other
    /// keys are not affected.
    /// </summary>
    KeyMismatch,
}

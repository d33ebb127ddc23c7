using Stout.Storage;

namespace Stout.Testing;

/// <summary>The faults of one key of a request. A fault of the whole request is the same fault of all its keys.</summary>
public enum StoreFault
{
    /// <summary>No fault.</summary>
    None,

    /// <summary>The store is overloaded and does not apply the request. The error has the delay <see cref="FaultyStoreOptions.RetryAfter"/>.</summary>
    Overloaded,

    /// <summary>The store can't be reached. The request was certainly not sent.</summary>
    Unreachable,

    /// <summary>The store refuses the request, does not apply it, and would refuse it again.</summary>
    Refused,

    /// <summary>The request is lost on its way: it is not applied, and its outcome is unknown.</summary>
    LostRequest,

    /// <summary>The answer is lost: the request is applied, and its outcome is unknown.</summary>
    LostAnswer,

    /// <summary>
    /// The request reaches the store twice. A write counts as committed if either delivery was committed; otherwise the second answer counts.
    /// </summary>
    Repeated,

    /// <summary>The outcome is unknown, and the request reaches the store only after the next request of its partition.</summary>
    Late,

    /// <summary>
    /// Something holds the key in the store, so the request is not applied. The error has the delay <see cref="FaultyStoreOptions.RetryAfter"/>.
    /// </summary>
    Busy,

    /// <summary>The request exceeds a limit on the time or size of one request, and is not applied.</summary>
    LimitExceeded,
}

/// <summary>The effects of the faults.</summary>
internal static class StoreFaults
{
    public static readonly int Count = Enum.GetValues<StoreFault>().Length;

    /// <summary>Whether the store receives the request in time.</summary>
    public static bool Arrives(this StoreFault fault) => fault is StoreFault.None or StoreFault.LostAnswer or StoreFault.Repeated;

    /// <summary>The exception that replaces the store's answer; null if the store's answer counts.</summary>
    public static StoreException? Error(this StoreFault fault, TimeSpan? retryAfter) => fault switch
    {
        StoreFault.None or StoreFault.Repeated => null,
        StoreFault.Overloaded => new StoreException(StoreErrorKind.Overloaded, "Injected: the store is overloaded.") { RetryAfter = retryAfter },
        StoreFault.Unreachable => new StoreException(StoreErrorKind.Unreachable, "Injected: the store can't be reached."),
        StoreFault.Busy => new StoreException(StoreErrorKind.Busy, "Injected: something holds the key.") { RetryAfter = retryAfter },
        StoreFault.LimitExceeded => new StoreException(StoreErrorKind.LimitExceeded, "Injected: the request exceeds a limit of the store."),
        StoreFault.Refused => new StoreException(StoreErrorKind.Refused, "Injected: the store refuses."),
        _ => new StoreException(StoreErrorKind.Unknown, "Injected: there was no answer."),
    };
}

using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>Exceptions for time-outs, and for failed outcomes that a proxy has set without an exception.</summary>
internal static class StoreErrors
{
    public static StoreException Refused() => new(StoreErrorKind.Refused, "The store refused the request.");

    public static StoreException Busy() => new(StoreErrorKind.Busy, "Something holds the key in the store.");

    public static StoreException NoAnswer() => new(StoreErrorKind.Unknown, "The store gave no certain answer.");

    public static StoreException Unreachable() => new(StoreErrorKind.Unreachable, "The store could not be reached.");

    public static StoreException NotSent() => new(StoreErrorKind.Overloaded, "The store took no request for it in time.");

    public static StoreException TimedOut() => new(StoreErrorKind.Unknown, "The store did not answer in time.");
}

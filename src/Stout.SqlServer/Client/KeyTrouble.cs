using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>An error answer that one key of the request alone may have caused.</summary>
/// <param name="Error">The error for that key.</param>
/// <param name="IsCertain">Whether the transaction was certainly rolled back. After a trigger's RAISERROR the transaction may have continued, since
/// XACT_ABORT ignores RAISERROR.</param>
internal readonly record struct KeyTrouble(StoreException Error, bool IsCertain)
{
    /// <summary>The error as one of unknown outcome, so that the lane repeats the request for the key.</summary>
    public StoreException AsUnknown() => new(StoreErrorKind.Unknown, Error.Message, Error);
}

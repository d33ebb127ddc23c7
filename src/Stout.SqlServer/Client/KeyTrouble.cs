using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>An error answer that one key of the request alone may have caused.</summary>
/// <param name="Error">The error for that key.</param>
/// <param name="IsCertain">Whether the transaction was certainly rolled back. It may not be after a trigger's RAISERROR, which XACT_ABORT
/// ignores.</param>
internal readonly record struct KeyTrouble(StoreException Error, bool IsCertain)
{
    /// <summary>The error with an unknown outcome, so that the lane repeats the key.</summary>
    public StoreException AsUnknown() => new(StoreErrorKind.Unknown, Error.Message, Error);
}

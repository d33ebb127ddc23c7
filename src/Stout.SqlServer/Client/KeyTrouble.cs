using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>An error that the server has answered with, and that one key of the request alone may have caused.</summary>
/// <param name="Error">What the error means for the key that caused it.</param>
/// <param name="IsCertain">
/// Whether the transaction was certainly rolled back. It was not if a trigger reported the error by RAISERROR, which XACT_ABORT ignores.
/// </param>
internal readonly record struct KeyTrouble(StoreException Error, bool IsCertain)
{
    /// <summary>The error where nothing tells whether the transaction was applied: the lane repeats the key.</summary>
    public StoreException AsUnknown() => new(StoreErrorKind.Unknown, Error.Message, Error);
}

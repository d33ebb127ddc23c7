using Azure;
using Azure.Core;
using Stout.Storage;

namespace Stout.AzureTables.Service;

/// <summary>
/// A credential that classifies its failures. Without a token no request is sent, so a failure to get one never leaves the outcome of a request unknown.
/// </summary>
internal sealed class CheckedCredential(TokenCredential inner) : TokenCredential
{
    public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken)
    {
        try
        {
            return inner.GetToken(requestContext, cancellationToken);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            throw Classify(error);
        }
    }

    public override async ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken)
    {
        try
        {
            return await inner.GetTokenAsync(requestContext, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            throw Classify(error);
        }
    }

    // An unreachable or overloaded identity service will recover; a refusal is permanent.
    private static StoreException Classify(Exception error)
    {
        for (var cause = error; cause is not null; cause = cause.InnerException)
        {
            if (cause is HttpRequestException or RequestFailedException { Status: 0 or 408 or 429 or >= 500 })
                return new StoreException(StoreErrorKind.Unreachable, "The identity service does not give out tokens now.", error);
        }

        return new StoreException(StoreErrorKind.Refused, "The credential gives no token for the storage account.", error) { Scope = StoreErrorScope.Partition };
    }
}

using Azure.Core;

namespace Stout.Cosmos.Requests;

/// <summary>A token could not be obtained. The cause is dropped, since it may quote the credential's input.</summary>
internal sealed class CredentialException(Exception cause) : Exception($"The credential failed ({cause.GetType().Name}).");

/// <summary>Marks the failures of a credential. The SDK reports them as the service's errors, but nothing was sent.</summary>
internal sealed class GuardedCredential(TokenCredential inner) : TokenCredential
{
    public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken)
    {
        try
        {
            return inner.GetToken(requestContext, cancellationToken);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            throw new CredentialException(error);
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
            throw new CredentialException(error);
        }
    }
}

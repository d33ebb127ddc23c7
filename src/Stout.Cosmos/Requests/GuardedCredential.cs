using Azure.Core;

namespace Stout.Cosmos.Requests;

/// <summary>No token could be had; the cause stays out of it, since it may quote what the credential was given.</summary>
internal sealed class CredentialException(Exception cause) : Exception($"The credential failed ({cause.GetType().Name}).");

/// <summary>
/// Marks the failures of a credential: the SDK reports them as errors of the service, and they mean that certainly nothing was sent.
/// </summary>
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

using Microsoft.Azure.Cosmos;
using Stout.Storage;

namespace Stout.Cosmos.Setup;

/// <summary>Creates the SDK's client of an account, and refuses an account that cannot keep the store's promises.</summary>
internal static class AccountSetup
{
    public static CosmosClient Connect(CosmosContainerOptions place, CosmosOptions options)
    {
        if (options.CreateClient is { } create)
            return create(place);
        var client = new CosmosClientOptions
        {
            ApplicationName = "Stout",
            ConnectionMode = options.ConnectionMode,
            HttpClientFactory = options.HttpClientFactory,
            EnableContentResponseOnWrite = false,

            // The pacing law must notice every refusal at once, so the SDK must not retry.
            MaxRetryAttemptsOnRateLimitedRequests = 0,

            // Other regions may lag, and their reads would be stale. The account's own address leads to the write region.
            LimitToEndpoint = true,
        };
        try
        {
            if (!string.IsNullOrEmpty(place.ConnectionString))
                return new CosmosClient(place.ConnectionString, client);
            return place.Credential is { } credential
                ? new CosmosClient(place.Endpoint, new Requests.GuardedCredential(credential), client)
                : new CosmosClient(place.Endpoint, place.Key, client);
        }
        catch (Exception error) when (error is ArgumentException or FormatException)
        {
            // Without the inner exception, which may quote the key.
            throw new StoreException(StoreErrorKind.Refused, "The connection string, or the key, is not one of Cosmos DB.");
        }
    }

    /// <exception cref="StoreException">The account's consistency is too weak, or it has several write regions.</exception>
    public static void Check(AccountProperties account)
    {
        // With a weaker consistency a read may miss acknowledged writes, even in the same process.
        if (account.Consistency.DefaultConsistencyLevel is not (ConsistencyLevel.Strong or ConsistencyLevel.BoundedStaleness))
        {
            throw new StoreException(
                StoreErrorKind.Refused,
                $"The account's default consistency is {account.Consistency.DefaultConsistencyLevel}; it has to be Strong or BoundedStaleness.");
        }

        // Each region compares ETags by itself, and one of two conflicting writes is dropped later.
        if (account.WritableRegions.Skip(1).Any())
            throw new StoreException(StoreErrorKind.Refused, "Several regions of the account take writes; one alone may.");
    }
}

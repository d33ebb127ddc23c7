using Microsoft.Azure.Cosmos;
using Stout.Storage;

namespace Stout.Cosmos.Setup;

/// <summary>Makes the SDK's client of an account, and refuses an account that can't keep the promises.</summary>
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

            // The pacing has to learn of every refusal at once.
            MaxRetryAttemptsOnRateLimitedRequests = 0,

            // Other regions may lag behind, and what is read there would be old. The account's own address leads to the region that takes writes.
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
            // Not the inner exception, which may quote the key.
            throw new StoreException(StoreErrorKind.Refused, "The connection string, or the key, is not one of Cosmos DB.");
        }
    }

    /// <exception cref="StoreException">Its consistency is too weak, or several regions take writes.</exception>
    public static void Check(AccountProperties account)
    {
        // With a weaker one a read may miss what was acknowledged, even to the same process.
        if (account.Consistency.DefaultConsistencyLevel is not (ConsistencyLevel.Strong or ConsistencyLevel.BoundedStaleness))
        {
            throw new StoreException(
                StoreErrorKind.Refused,
                $"The account's default consistency is {account.Consistency.DefaultConsistencyLevel}; it has to be Strong or BoundedStaleness.");
        }

        // Each region compares ETags for itself, and later one of two writes is dropped.
        if (account.WritableRegions.Skip(1).Any())
            throw new StoreException(StoreErrorKind.Refused, "Several regions of the account take writes; one alone may.");
    }
}

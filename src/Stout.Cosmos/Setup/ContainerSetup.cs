using Microsoft.Azure.Cosmos;
using Stout.Storage;

namespace Stout.Cosmos.Setup;

/// <summary>Creates a missing container, and refuses a container with other properties.</summary>
internal static class ContainerSetup
{
    /// <summary>Items without a time to live of their own stay.</summary>
    private const int NoDefault = -1;

    public static async Task<Container> RunAsync(CosmosClient client, CosmosContainerOptions place, bool createMissing, CancellationToken cancellationToken)
    {
        if (createMissing)
        {
            var database = await client.CreateDatabaseIfNotExistsAsync(place.Database, cancellationToken: cancellationToken).ConfigureAwait(false);
            _ = await database.Database.CreateContainerIfNotExistsAsync(Properties(place.Container), cancellationToken: cancellationToken).ConfigureAwait(false);
        }

        var container = client.GetContainer(place.Database, place.Container);
        var found = await container.ReadContainerAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
        Check(found.Resource);
        return container;
    }

    // Ids are always indexed, and queries use nothing else; indexing other paths would cost request units with every write.
    private static ContainerProperties Properties(string name) => new(name, Layout.PartitionKeyPath)
    {
        DefaultTimeToLive = NoDefault,
        IndexingPolicy = new IndexingPolicy
        {
            IndexingMode = IndexingMode.Consistent,
            ExcludedPaths = { new ExcludedPath { Path = "/*" } },
        },
    };

    private static void Check(ContainerProperties found)
    {
        if (found.PartitionKeyPaths is not [Layout.PartitionKeyPath])
            throw LayoutMismatch($"its partition key is not {Layout.PartitionKeyPath}");
        if (found.DefaultTimeToLive is { } seconds && seconds != NoDefault)
            throw LayoutMismatch($"its items expire after {seconds} s");
        if (found.DefaultTimeToLive is null)
            throw LayoutMismatch("its time to live is off, so that what is deleted would stay; set it to -1 (on, no default)");
        if (found.UniqueKeyPolicy?.UniqueKeys.Count > 0)
            throw LayoutMismatch("it has unique keys");
    }

    private static StoreException LayoutMismatch(string why) => new(StoreErrorKind.LayoutMismatch, $"The container was not made for this library: {why}.");
}

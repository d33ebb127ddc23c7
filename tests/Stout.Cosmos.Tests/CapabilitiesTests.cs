using Stout.Storage;

namespace Stout.Cosmos.Tests;

public sealed class CapabilitiesTests
{
    [Fact]
    public async Task A_container_is_durable_commits_each_key_by_itself_keeps_owners_and_lists_for_many_clients()
    {
        await using var storage = new CosmosStorage(new CosmosOptions { Containers = { new CosmosContainerOptions { ConnectionString = "AccountEndpoint=https://name.documents.azure.com;AccountKey=a2V5" } } });

        Assert.Equal(new StorageCapabilities { Durable = true, AtomicBatches = false, Claims = true, RaisesEpochs = true, Lists = true, Shared = true }, storage.Capabilities);
    }
}

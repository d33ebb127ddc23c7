using Stout.Storage;

namespace Stout.AzureTables.Tests;

public sealed class CapabilitiesTests
{
    [Fact]
    public async Task A_table_is_durable_commits_each_key_by_itself_keeps_owners_and_lists_for_many_clients()
    {
        await using var storage = new AzureTablesStorage("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=YQ==;EndpointSuffix=core.windows.net");

        Assert.Equal(new StorageCapabilities { Durable = true, AtomicBatches = false, Claims = true, RaisesEpochs = true, Lists = true, Shared = true }, storage.Capabilities);
    }
}

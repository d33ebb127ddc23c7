using Stout.Storage;

namespace Stout.PostgreSql.Tests;

public sealed class CapabilitiesTests
{
    [Fact]
    public async Task A_database_is_durable_commits_batches_whole_keeps_owners_and_lists_for_many_clients()
    {
        await using var storage = new PostgreSqlStorage("Host=127.0.0.1");

        Assert.Equal(new StorageCapabilities { Durable = true, AtomicBatches = true, Claims = true, WarmsUp = true, RaisesEpochs = true, Lists = true, Shared = true }, storage.Capabilities);
    }
}

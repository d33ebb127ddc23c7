using Stout.Storage;

namespace Stout.Sqlite.Tests;

public sealed class CapabilitiesTests
{
    [Fact]
    public async Task A_file_is_durable_commits_batches_whole_keeps_owners_and_lists_for_one_client_at_a_time()
    {
        await using var storage = new SqliteStorage("unopened.db");

        Assert.Equal(
            new StorageCapabilities { Durable = true, AtomicBatches = true, Claims = true, WarmsUp = true, EncryptsTransport = true, RaisesEpochs = true, Lists = true, Shared = false },
            storage.Capabilities);
    }
}

using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Client;

/// <summary>The requests that opening a store makes, so that the first callers don't pay for connection set-up.</summary>
public sealed class WarmUpTests
{
    [Fact]
    public async Task Each_partition_gets_writes_that_change_nothing_and_reads_before_the_client_is_open()
    {
        var store = new CountingStore(warmsUp: true);
        await using var fixture = await Fixture.OpenAsync(store);

        Assert.Equal(2, store.Partitions.Count);
        Assert.All(store.Partitions, partition => Assert.Equal((4, 4), (partition.Writes, partition.Reads)));
        Assert.All(store.Partitions, partition => Assert.All(partition.Outcomes, outcome => Assert.Equal(WriteOutcomeKind.Conflict, outcome)));
    }

    [Fact]
    public async Task A_store_whose_first_requests_are_like_all_others_gets_none()
    {
        var store = new CountingStore(warmsUp: false);
        await using var fixture = await Fixture.OpenAsync(store);

        Assert.All(store.Partitions, partition => Assert.Equal((0, 0), (partition.Writes, partition.Reads)));
    }

    [Fact]
    public async Task A_store_that_fails_meanwhile_is_open_all_the_same()
    {
        var store = new CountingStore(warmsUp: true) { Error = new StoreException(StoreErrorKind.Unreachable, "gone") };
        await using var fixture = await Fixture.OpenAsync(store);

        Assert.All(store.Partitions, partition => Assert.Equal((1, 0), (partition.Writes, partition.Reads)));
    }

    private sealed class CountingStore(bool warmsUp) : IStorageProxy
    {
        private readonly InMemoryStore _inner = new(partitions: 2);

        public StorageCapabilities Capabilities => _inner.Capabilities with { WarmsUp = warmsUp };

        public StorageLimits Limits => _inner.Limits;

        public Exception? Error { get; init; }

        public IReadOnlyList<CountingPartition> Partitions { get; private set; } = [];

        public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) =>
            Partitions = [.. (await _inner.OpenAsync(cancellationToken)).Select(partition => new CountingPartition(partition, Error))];

        public ValueTask DisposeAsync() => _inner.DisposeAsync();
    }

    private sealed class CountingPartition(IStorePartition inner, Exception? error) : IStorePartition
    {
        public int Writes { get; private set; }

        public int Reads { get; private set; }

        public List<WriteOutcomeKind> Outcomes { get; } = [];

        public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
        {
            Writes++;
            if (error is not null)
                throw error;
            await inner.WriteAsync(batch, cancellationToken);
            Outcomes.Add(batch.OutcomeOf(0).Kind);
        }

        public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
        {
            Reads++;
            return inner.ReadAsync(batch, cancellationToken);
        }
    }
}

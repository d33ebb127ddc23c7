using Microsoft.Azure.Cosmos;
using Stout.Cosmos.Diagnostics;
using Stout.Cosmos.Reading;
using Stout.Cosmos.Requests;
using Stout.Cosmos.Writing;
using Stout.Storage;

namespace Stout.Cosmos;

/// <summary>One logical partition of a container.</summary>
internal sealed class CosmosPartition : IStorePartition, IAsyncDisposable
{
    private readonly BatchWriter _writer;
    private readonly KeyReader _reader;
    private readonly KeyLister _lister;

    public CosmosPartition(
        Container container, int partition, CosmosOptions options, RequestUnits units, TimeProvider time, Action<StoreException, int> onSweepFailure)
    {
        var key = PartitionRequests.PartitionKeyOf(partition);
        Requests = new PartitionRequests(container, partition, "write", new StoreCalls(options.Calls, CosmosErrors.Classify, time), units);
        var sweeper = new Sweeper(Requests.For("sweep"), options.Sweeping, error => onSweepFailure(error, partition));
        var interval = options.Sweeping.Interval;

        // Another process may have left work, but each look costs request units: the partitions' first sweeps spread over an interval.
        var first = interval + (interval * partition / options.Partitions);
        Sweeps = new BackgroundLoop(time, interval, sweeper.SweepAsync, error => onSweepFailure(error, partition), first);
        _writer = new BatchWriter(Requests, key, CosmosLimits.For(options), sweeper.NoteGarbage);
        _reader = new KeyReader(Requests.For("read"));
        _lister = new KeyLister(Requests.For("list"));
    }

    /// <summary>Its requests, for writes and for setting it up.</summary>
    public PartitionRequests Requests { get; }

    /// <summary>What the sweeper does.</summary>
    public BackgroundLoop Sweeps { get; }

    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        return _writer.WriteAsync(batch, cancellationToken);
    }

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);

        // Point reads beside each other: one request unit each, where a query of as many keys costs three and takes as long.
        return new(Task.WhenAll(Enumerable.Range(0, batch.Count).Select(ReadOneAsync)));

        async Task ReadOneAsync(int index) =>
            batch.SetOutcome(index, await _reader.ReadAsync(batch[index], cancellationToken).ConfigureAwait(false));
    }

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => _lister.ListAsync(listing, cancellationToken);

    public ValueTask DisposeAsync() => Sweeps.DisposeAsync();
}

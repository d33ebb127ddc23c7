using Stout.AzureTables.Reading;
using Stout.AzureTables.Service;
using Stout.AzureTables.Writing;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>One store partition: a table partition and its sweeper.</summary>
internal sealed class AzureTablesPartition : IStorePartition, IAsyncDisposable
{
    // Each key is a separate request.
    private const int ReadsAtOnce = 32;

    private readonly EpochFloor _floor;
    private readonly BatchWriter _writer;
    private readonly KeyReader _reader;
    private readonly KeyLister _lister;

    public AzureTablesPartition(PartitionTable table, AzureTablesOptions options, StorageLimits limits, TimeProvider time)
    {
        _floor = new FloorRow(table);
        Sweeper = new Sweeper(table, _floor, options.Sweeping, time);
        _writer = new BatchWriter(table, limits, Sweeper, time);
        _reader = new KeyReader(table, _floor, new KeyClaimer(table, options.Sweeping.Retention, time));
        _lister = new KeyLister(table);
    }

    /// <summary>Removes dead rows.</summary>
    public Sweeper Sweeper { get; }

    public IReadOnlyList<BackgroundJob> BackgroundJobs => [Sweeper.Backlog.Job];

    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        return _writer.WriteAsync(batch, cancellationToken);
    }

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        var outcomes = new ReadOutcome[batch.Count];
        try
        {
            await Parallel.ForAsync(
                0,
                batch.Count,
                new ParallelOptions { MaxDegreeOfParallelism = ReadsAtOnce, CancellationToken = cancellationToken },
                async (i, token) => outcomes[i] = await _reader.ReadAsync(batch[i], batch, token).ConfigureAwait(false)).ConfigureAwait(false);
        }
        finally
        {
            for (var i = 0; i < outcomes.Length; i++)
                batch.SetOutcome(i, outcomes[i]);
        }
    }

    public ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) => _floor.RaiseAllAsync(epoch, cancellationToken);

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => _lister.ListAsync(listing, cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await Sweeper.DisposeAsync().ConfigureAwait(false);
        _floor.Dispose();
    }
}

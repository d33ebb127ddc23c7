using Stout.AzureTables.Reading;
using Stout.AzureTables.Service;
using Stout.AzureTables.Writing;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>One store partition: a table partition, and what tidies it up.</summary>
internal sealed class AzureTablesPartition(PartitionTable table, AzureTablesOptions options, StorageLimits limits, TimeProvider time)
    : IStorePartition, IAsyncDisposable
{
    private readonly BatchWriter _writer = new(table, limits, time);
    private readonly KeyReader _reader = new(table, time);
    private readonly KeyLister _lister = new(table);

    /// <summary>Removes what is garbage.</summary>
    public Sweeper Sweeper { get; } = new(table, options.Sweeping, time);

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
                new ParallelOptions { MaxDegreeOfParallelism = options.ReadsAtOnce, CancellationToken = cancellationToken },
                async (i, token) => outcomes[i] = await _reader.ReadAsync(batch[i], token).ConfigureAwait(false)).ConfigureAwait(false);
        }
        finally
        {
            for (var i = 0; i < outcomes.Length; i++)
                batch.SetOutcome(i, outcomes[i]);
        }
    }

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => _lister.ListAsync(listing, cancellationToken);

    public ValueTask DisposeAsync() => Sweeper.DisposeAsync();
}

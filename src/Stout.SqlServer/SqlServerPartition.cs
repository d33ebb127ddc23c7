using Stout.SqlServer.Client;
using Stout.SqlServer.Reading;
using Stout.SqlServer.Sweeping;
using Stout.SqlServer.Writing;
using Stout.Storage;

namespace Stout.SqlServer;

/// <summary>One store partition: a database, with its sweeper.</summary>
internal sealed class SqlServerPartition : IStorePartition, IAsyncDisposable
{
    private readonly StorageLimits _limits;
    private readonly BatchWriter _writer;
    private readonly BatchReader _reader;
    private readonly KeyLister _lister;
    private readonly FloorStatement _floor;

    public SqlServerPartition(Database database, SqlServerOptions options, TimeProvider time)
    {
        var suspects = new SuspectKeys();
        _limits = SqlServerLimits.For(options);
        _writer = new BatchWriter(database, suspects, time);
        _reader = new BatchReader(database, suspects, time);
        _lister = new KeyLister(database);
        _floor = new FloorStatement(database);
        Sweeper = new Sweeper(database, options, time);
    }

    /// <summary>Removes dead rows.</summary>
    public Sweeper Sweeper { get; }

    public IReadOnlyList<BackgroundJob> BackgroundJobs => [Sweeper.Backlog.Job];

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        if (_limits.Admit(batch) == 0)
            return;
        await Sweeper.Backlog.KeepUpAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await _writer.WriteAsync(batch, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Sweeper.Count(batch);
        }
    }

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        _limits.Admit(batch);
        try
        {
            await _reader.ReadAsync(batch, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error)
        {
            batch.Fail(error);
        }
    }

    public async ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) =>
        await _floor.RaiseAsync(epoch, cancellationToken).ConfigureAwait(false);

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => _lister.ListAsync(listing, cancellationToken);

    public ValueTask DisposeAsync() => Sweeper.DisposeAsync();
}

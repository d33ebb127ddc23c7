using Stout.PostgreSql.Diagnostics;
using Stout.PostgreSql.Reading;
using Stout.PostgreSql.Sessions;
using Stout.PostgreSql.Sweeping;
using Stout.PostgreSql.Writing;
using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>One store partition: the connections to one database, the calls over them, and the sweeper.</summary>
internal sealed class PostgreSqlPartition : IStorePartition, IAsyncDisposable
{
    private readonly StorageLimits _limits;
    private readonly SessionPool _sessions;
    private readonly PartitionWriter _writer;
    private readonly PartitionReader _reader;

    public PostgreSqlPartition(SessionPool sessions, StorageLimits limits, PostgreSqlOptions options, SnapshotWatch snapshots, TimeProvider time)
    {
        _limits = limits;
        _sessions = sessions;
        var calls = new StoreCalls(options.Calls, PostgreSqlErrors.Classify, time);
        Sweeper = new Sweeper(calls, sessions, options.Sweeping, snapshots, time);
        _writer = new PartitionWriter(calls, sessions, Sweeper, options.Calls.Timeout);
        _reader = new PartitionReader(calls, sessions, options.Calls.Timeout);
    }

    public Sweeper Sweeper { get; }

    public IReadOnlyList<BackgroundJob> BackgroundJobs => [Sweeper.Backlog.Job];

    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        return _limits.Admit(batch) == 0 ? default : _writer.WriteAsync(batch, cancellationToken);
    }

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
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
        await _writer.RaiseEpochFloorAsync(epoch, cancellationToken).ConfigureAwait(false);

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => _reader.ListAsync(listing, cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await Sweeper.DisposeAsync().ConfigureAwait(false);
        await _sessions.DisposeAsync().ConfigureAwait(false);
    }
}

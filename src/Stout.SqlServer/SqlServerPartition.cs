using Stout.SqlServer.Client;
using Stout.SqlServer.Reading;
using Stout.SqlServer.Sweeping;
using Stout.SqlServer.Writing;
using Stout.Storage;

namespace Stout.SqlServer;

/// <summary>One database.</summary>
internal sealed class SqlServerPartition(Database database, SqlServerOptions options, TimeProvider time) : IStorePartition, IAsyncDisposable
{
    private readonly StorageLimits _limits = SqlServerLimits.For(options);
    private readonly BatchWriter _writer = new(database, time);
    private readonly BatchReader _reader = new(database, time);

    /// <summary>Removes what is dead.</summary>
    public Sweeper Sweeper { get; } = new(database, options, time);

    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        return _limits.Admit(batch) == 0 ? ValueTask.CompletedTask : _writer.WriteAsync(batch, cancellationToken);
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

    public ValueTask DisposeAsync() => Sweeper.DisposeAsync();
}

using System.Data;
using Npgsql;
using Stout.PostgreSql.Reading;
using Stout.PostgreSql.Sweeping;
using Stout.PostgreSql.Writing;
using Stout.Storage;

namespace Stout.PostgreSql.Sessions;

/// <summary>One connection with its prepared statements and send buffers, used by one request at a time.</summary>
internal sealed class Session : IAsyncDisposable
{
    private readonly NpgsqlConnection _connection;
    private readonly ReplicationWatch _replication;

    private Session(NpgsqlConnection connection, string schema)
    {
        _connection = connection;
        _replication = new ReplicationWatch(connection);
        Writer = new BatchWriter(connection, schema, _replication);
        Reader = new BatchReader(connection, schema, _replication);
        Pages = new PageReader(connection, schema);
        Lister = new KeyLister(connection, schema);
        Floor = new FloorCommand(connection, schema);
        Sweep = new SweepCommand(connection, schema);
        Snapshots = new SnapshotCommand(connection);
    }

    public BatchWriter Writer { get; }

    public BatchReader Reader { get; }

    public PageReader Pages { get; }

    public KeyLister Lister { get; }

    public FloorCommand Floor { get; }

    public SweepCommand Sweep { get; }

    public SnapshotCommand Snapshots { get; }

    /// <summary>Whether the session can serve another request: the last request was answered, perhaps with an error.</summary>
    public bool IsUsable { get; private set; } = true;

    /// <summary>Opens a connection with the settings that the store needs.</summary>
    public static async ValueTask<Session> OpenAsync(NpgsqlDataSource source, WantedSettings settings, string schema, CancellationToken cancellationToken)
    {
        var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await settings.EnsureAsync(connection, cancellationToken).ConfigureAwait(false);
            return new Session(connection, schema);
        }
        catch
        {
            await connection.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Runs a request on the connection.</summary>
    public async ValueTask<TResult> RunAsync<TState, TResult>(
        Func<Session, TState, CancellationToken, ValueTask<TResult>> request, TState state, CancellationToken cancellationToken)
    {
        _replication.Begin();
        IsUsable = false;
        try
        {
            var result = await request(this, state, cancellationToken).ConfigureAwait(false);
            IsUsable = true;
            return result;
        }
        catch (PostgresException error)
        {
            IsUsable = _connection.FullState == ConnectionState.Open && PostgreSqlErrors.Classify(error).Kind is not
                (StoreErrorKind.Unknown or StoreErrorKind.Unreachable or StoreErrorKind.LayoutMismatch);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        Writer.Dispose();
        Reader.Dispose();
        Pages.Dispose();
        Lister.Dispose();
        Sweep.Dispose();
        Snapshots.Dispose();
        await _connection.DisposeAsync().ConfigureAwait(false);
    }
}

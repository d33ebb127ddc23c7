using Stout.PostgreSql.Sessions;
using Stout.PostgreSql.Sweeping;
using Stout.Storage;

namespace Stout.PostgreSql;

/// <summary>One database: its connections, the calls over them, and what tidies it up.</summary>
internal sealed class PostgreSqlPartition : IStorePartition, IAsyncDisposable
{
    private readonly StorageLimits _limits;
    private readonly SessionPool _sessions;
    private readonly StoreCalls _calls;

    public PostgreSqlPartition(SessionPool sessions, StorageLimits limits, PostgreSqlOptions options, TimeProvider time)
    {
        _limits = limits;
        _sessions = sessions;
        _calls = new StoreCalls(options.Calls, Failure.OfRequest, time);
        Sweeper = new Sweeper(_calls, sessions, options.DeletedHeaderRetention, time);
    }

    public Sweeper Sweeper { get; }

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        if (_limits.Admit(batch) == 0)
            return;
        try
        {
            await CallAsync(static (session, batch, token) => session.Writer.WriteAsync(batch, token), batch, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error)
        {
            batch.Fail(error);
        }
    }

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(batch);
        _limits.Admit(batch);
        try
        {
            while (await CallAsync(static (session, batch, token) => session.Reader.ReadAsync(batch, token), batch, cancellationToken).ConfigureAwait(false) > 0)
            {
            }
        }
        catch (StoreException error)
        {
            batch.Fail(error);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Sweeper.DisposeAsync().ConfigureAwait(false);
        await _sessions.DisposeAsync().ConfigureAwait(false);
    }

    private ValueTask<int> CallAsync<TBatch>(
        Func<Session, TBatch, CancellationToken, ValueTask<int>> request, TBatch batch, CancellationToken cancellationToken) =>
        _calls.RunAsync(
            static (call, token) => call.Sessions.RunAsync(call.Request, call.Batch, token),
            (Sessions: _sessions, Request: request, Batch: batch),
            cancellationToken);
}

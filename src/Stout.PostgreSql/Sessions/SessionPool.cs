using System.Collections.Concurrent;
using Npgsql;

namespace Stout.PostgreSql.Sessions;

/// <summary>
/// The connections to one store partition. They stay open with what they have prepared; when one fails, those that are idle go with it,
/// for they most likely share its fate, and each would cost a request of unknown outcome.
/// </summary>
/// <remarks>
/// This pool stands in place of Npgsql's since each connection here keeps its commands with their parameters. Npgsql's pool gives a request any connection, so a
/// request makes its commands anew or binds them again. One call with ten array parameters of 64 elements (Npgsql 10.0.3, PostgreSQL 15, median of 11
/// alternated rounds on a busy machine) costs the client 94 µs and 1,132 bytes here, 163 µs and 5,127 bytes with Npgsql's pool and new commands, and 115 µs
/// and 1,536 bytes with Npgsql's pool and a kept command. One connection opens at a time here, for the reason below.
/// </remarks>
internal sealed class SessionPool(NpgsqlDataSource source, PostgreSqlOptions options) : IAsyncDisposable
{
    private readonly ConcurrentStack<Session> _idle = [];
    private readonly SemaphoreSlim _free = new(options.MaxConnections);

    // A new connection costs the server as much as many requests. Where several requests miss one at once, the second mostly finds that one has come
    // free while the first was opening its own.
    private readonly SemaphoreSlim _opening = new(1);
    private Exception? _failure;
    private int _failures;
    private volatile bool _closed;

    /// <summary>Sends a request over a connection of its own.</summary>
    /// <exception cref="Storage.StoreException">No connection was to be had: nothing was sent.</exception>
    public async ValueTask<TResult> RunAsync<TState, TResult>(
        Func<Session, TState, CancellationToken, ValueTask<TResult>> request, TState state, CancellationToken cancellationToken)
    {
        if (_closed)
            throw PostgreSqlErrors.Closed();
        await _free.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var session = await TakeAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                return await session.RunAsync(request, state, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                await GiveBackAsync(session).ConfigureAwait(false);
            }
        }
        finally
        {
            _free.Release();
        }
    }

    /// <summary>Waits for the requests that are under way, then closes the connections.</summary>
    public async ValueTask DisposeAsync()
    {
        _closed = true;
        for (var i = 0; i < options.MaxConnections; i++)
            await _free.WaitAsync(CancellationToken.None).ConfigureAwait(false);
        await CloseIdleAsync().ConfigureAwait(false);
        await source.DisposeAsync().ConfigureAwait(false);
        _free.Release(options.MaxConnections);
    }

    private async ValueTask<Session> TakeAsync(CancellationToken cancellationToken)
    {
        if (_closed)
            throw PostgreSqlErrors.Closed();
        if (_idle.TryPop(out var session))
            return session;
        var failures = Volatile.Read(ref _failures);
        await _opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        Exception? error;
        try
        {
            if (_idle.TryPop(out session))
                return session;
            // What has failed for the one before would fail again, and take as long: the call's own limit would come first, and it would be unknown that nothing was sent.
            if (_failures == failures)
                return await Session.OpenAsync(source, options.Schema, cancellationToken).ConfigureAwait(false);
            error = _failure;
        }
        catch (Exception failure) when (!cancellationToken.IsCancellationRequested)
        {
            error = _failure = failure;
            _failures++;
        }
        finally
        {
            _opening.Release();
        }

        throw PostgreSqlErrors.ClassifyConnecting(error!);
    }

    private async ValueTask GiveBackAsync(Session session)
    {
        if (session.IsUsable)
        {
            _idle.Push(session);
            return;
        }

        await session.DisposeAsync().ConfigureAwait(false);
        await CloseIdleAsync().ConfigureAwait(false);
    }

    private async ValueTask CloseIdleAsync()
    {
        while (_idle.TryPop(out var session))
            await session.DisposeAsync().ConfigureAwait(false);
    }
}

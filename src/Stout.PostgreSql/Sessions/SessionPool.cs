using System.Collections.Concurrent;
using Npgsql;

namespace Stout.PostgreSql.Sessions;

/// <summary>
/// The connections to one store partition. They stay open with what they have prepared; when one fails, those that are idle go with it,
/// for they most likely share its fate, and each would cost a request of unknown outcome.
/// </summary>
internal sealed class SessionPool(NpgsqlDataSource source, PostgreSqlOptions options) : IAsyncDisposable
{
    private readonly ConcurrentStack<Session> _idle = [];
    private readonly SemaphoreSlim _free = new(options.MaxConnections);
    private volatile bool _closed;

    /// <summary>Sends a request over a connection of its own.</summary>
    /// <exception cref="Storage.StoreException">No connection was to be had: nothing was sent.</exception>
    public async ValueTask<TResult> RunAsync<TState, TResult>(
        Func<Session, TState, CancellationToken, ValueTask<TResult>> request, TState state, CancellationToken cancellationToken)
    {
        if (_closed)
            throw Failure.Closed();
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
            throw Failure.Closed();
        if (_idle.TryPop(out var session))
            return session;
        try
        {
            return await Session.OpenAsync(source, options.Schema, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (!cancellationToken.IsCancellationRequested)
        {
            throw Failure.OfConnection(error);
        }
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

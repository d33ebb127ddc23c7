using Stout.PostgreSql.Sessions;
using Stout.PostgreSql.Sweeping;
using Stout.Storage;

namespace Stout.PostgreSql.Writing;

/// <summary>Writes batches of one store partition in one transaction, or in several if the server refuses one of the keys.</summary>
internal sealed class PartitionWriter(StoreCalls calls, SessionPool sessions, Sweeper sweeper, TimeSpan budget)
{
    private readonly SuspectKeys _suspects = new();

    /// <summary>Writes a batch, and sets an outcome for every key.</summary>
    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        await sweeper.Backlog.KeepUpAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var isTogether = !_suspects.Any;
            var refused = isTogether ? await TryAsync(batch, null, cancellationToken).ConfigureAwait(false) : null;
            if (!isTogether || refused is not null)
                await IsolateAsync(batch, refused, cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error)
        {
            batch.Fail(error);
        }
    }

    /// <summary>Raises the epoch floor durably to at least the given epoch.</summary>
    /// <exception cref="StoreException">The floor could not be raised.</exception>
    public ValueTask<int> RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken) => calls.RunAsync(
        static (call, token) => call.Sessions.RunAsync(static (session, epoch, token) => session.Floor.RaiseAsync(epoch, token), call.Epoch, token),
        (Sessions: sessions, Epoch: epoch),
        cancellationToken);

    private ValueTask IsolateAsync(WriteBatch batch, StoreException? refused, CancellationToken cancellationToken) => new WriteIsolation(
        batch,
        _suspects,
        budget,
        (some, isPatient, token) => TryAsync(batch, new WriteSelection(some, isPatient), token))
        .RunAsync(refused, cancellationToken);

    /// <returns>An error that one of the keys may have caused; null if the transaction has committed.</returns>
    private async ValueTask<StoreException?> TryAsync(WriteBatch batch, WriteSelection? selection, CancellationToken cancellationToken)
    {
        try
        {
            sweeper.Backlog.Add(await SendAsync(batch, selection, cancellationToken).ConfigureAwait(false));
            return null;
        }
        catch (StoreException error) when (PostgreSqlErrors.MayConcernOneKey(error))
        {
            return error;
        }
    }

    /// <returns>The number of ended generations.</returns>
    private ValueTask<int> SendAsync(WriteBatch batch, WriteSelection? selection, CancellationToken cancellationToken) =>
        calls.RunAsync(
            static (call, token) => call.Sessions.RunAsync(
                static (session, call, token) => session.Writer.WriteAsync(call.Batch, call.Selection, token), call, token),
            (Sessions: sessions, Batch: batch, Selection: selection),
            cancellationToken);
}

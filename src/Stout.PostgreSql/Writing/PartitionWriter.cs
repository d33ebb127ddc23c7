using Stout.PostgreSql.Isolation;
using Stout.PostgreSql.Sessions;
using Stout.PostgreSql.Sweeping;
using Stout.Storage;

namespace Stout.PostgreSql.Writing;

/// <summary>Writes batches of one store partition: in one transaction, unless the server refuses one of the keys.</summary>
internal sealed class PartitionWriter(StoreCalls calls, SessionPool sessions, Sweeper sweeper)
{
    private readonly SuspectKeys _suspects = new();

    /// <summary>Writes a batch, and sets an outcome for every key.</summary>
    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        try
        {
            StoreException? refused = null;
            var isTogether = !_suspects.Any;
            try
            {
                if (isTogether)
                    sweeper.NoteGarbage(await SendAsync(batch, null, cancellationToken).ConfigureAwait(false));
            }
            catch (StoreException error) when (KeyIsolation.MayConcernOneKey(error))
            {
                refused = error;
            }

            if (!isTogether || refused is not null)
                await IsolateAsync(batch, refused, cancellationToken).ConfigureAwait(false);

            await sweeper.KeepUpAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (StoreException error)
        {
            batch.Fail(error);
        }
    }

    private ValueTask IsolateAsync(WriteBatch batch, StoreException? refused, CancellationToken cancellationToken) => new WriteIsolation(
        batch,
        _suspects,
        async (all, some, isPatient, token) => sweeper.NoteGarbage(await SendAsync(all, new WriteSelection(some, isPatient), token).ConfigureAwait(false)))
        .RunAsync(refused, cancellationToken);

    /// <returns>How many generations have ended.</returns>
    private ValueTask<int> SendAsync(WriteBatch batch, WriteSelection? selection, CancellationToken cancellationToken) =>
        calls.RunAsync(
            static (call, token) => call.Sessions.RunAsync(
                static (session, call, token) => session.Writer.WriteAsync(call.Batch, call.Selection, token), call, token),
            (Sessions: sessions, Batch: batch, Selection: selection),
            cancellationToken);
}

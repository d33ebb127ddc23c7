using Stout.PostgreSql.Isolation;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Writing;

/// <summary>Writes batches of one store partition: in one transaction, unless the server refuses one of the keys.</summary>
/// <param name="calls">Makes the calls.</param>
/// <param name="sessions">The connections.</param>
/// <param name="ended">Told how many generations a transaction has ended.</param>
internal sealed class PartitionWriter(StoreCalls calls, SessionPool sessions, Action<int> ended)
{
    private readonly SuspectKeys _suspects = new();

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        StoreException? refused = null;
        if (!_suspects.Any)
        {
            try
            {
                await SendAsync(batch, null, isPatient: true, cancellationToken).ConfigureAwait(false);
                return;
            }
            catch (StoreException error) when (KeyIsolation.MayConcernOneKey(error))
            {
                refused = error;
            }
        }

        await new WriteIsolation(batch, _suspects, SendAsync).RunAsync(refused, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask SendAsync(WriteBatch batch, IReadOnlyList<int>? indexes, bool isPatient, CancellationToken cancellationToken)
    {
        var generations = await calls.RunAsync(
            static (call, token) => call.Sessions.RunAsync(
                static (session, call, token) => session.Writer.WriteAsync(call.Batch, call.Indexes, call.IsPatient, token), call, token),
            (Sessions: sessions, Batch: batch, Indexes: indexes, IsPatient: isPatient),
            cancellationToken).ConfigureAwait(false);
        if (generations > 0)
            ended(generations);
    }
}

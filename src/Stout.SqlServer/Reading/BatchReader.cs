using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>Reads batches: in one round trip, and in a second where a claim is due or a key was changed meanwhile.</summary>
internal sealed class BatchReader(Database database, TimeProvider time)
{
    /// <summary>A third is needed only if a key is made or swept away between two statements of the second.</summary>
    private const int MaxRounds = 5;

    private static readonly KeyImage Nothing = new();

    private readonly ReadStatement _statement = new(database.Schema);
    private readonly string _keyType = Layout.In(database.Schema, ReadRows.KeyType);

    /// <exception cref="StoreException">Why the keys without an outcome could not be read.</exception>
    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        var unread = Enumerable.Range(0, batch.Count).ToList();
        for (var round = 1; round <= MaxRounds && unread.Count > 0; round++)
        {
            using var keys = new KeyOrder(unread.Count);
            foreach (var index in unread)
                keys.Add(index, batch[index].Key);
            keys.Sort();
            var images = await database.RunAsync(
                static (connection, x, token) => x.Reader.ExecuteAsync(connection, x.Batch, x.Keys, x.Locked, token),
                (Reader: this, Batch: batch, Keys: keys, Locked: round > 1),
                cancellationToken).ConfigureAwait(false);
            unread.Clear();
            for (var place = 0; place < keys.Count; place++)
            {
                var index = keys.IndexAt(place);
                if ((images[place] ?? Nothing).Settle(batch[index].Claim) is { } outcome)
                    batch.SetOutcome(index, outcome);
                else
                    unread.Add(index);
            }
        }

        if (unread.Count > 0)
            throw new StoreException(StoreErrorKind.Unknown, "Keys were changed again and again while they were read.");
    }

    private async ValueTask<KeyImage?[]> ExecuteAsync(
        SqlConnection connection, ReadBatch batch, KeyOrder keys, bool locked, CancellationToken token)
    {
        var command = new SqlCommand(locked ? _statement.Locked : _statement.Plain, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.AddTable(ReadStatement.Keys, _keyType, ReadRows.Of(batch, keys));
            if (locked)
                command.Parameters.Add(ReadStatement.Now, SqlDbType.BigInt).Value = time.GetUtcNow().ToUnixTimeMilliseconds();
            var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess, token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
                return await KeyImages.ReadAsync(reader, keys.Count, token).ConfigureAwait(false);
        }
    }
}

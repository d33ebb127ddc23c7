using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>Reads batches: in one round trip, and in a second where a claim is due or a key was changed meanwhile.</summary>
internal sealed class BatchReader(Database database, SuspectKeys suspects, TimeProvider time)
{
    /// <summary>A third is needed only if a key is made or swept away between two statements of the second.</summary>
    private const int MaxRounds = 5;

    private static readonly KeyImage Nothing = new();

    private readonly ReadStatement _statement = new(database.Schema, database.LockTimeout);
    private readonly string _keyType = Layout.In(database.Schema, ReadRows.KeyType);

    /// <exception cref="StoreException">Why the keys without an outcome could not be read.</exception>
    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        var unread = Enumerable.Range(0, batch.Count).ToList();
        for (var round = 1; round <= MaxRounds && unread.Count > 0; round++)
        {
            using var keys = new KeyOrder(unread.Count);
            foreach (var index in unread)
                keys.Add(index, batch[index].Key, suspects.Contains(batch[index].Key));
            keys.Sort();
            unread.Clear();
            var isLocked = round > 1;
            await KeySplitter.RunAsync(
                keys,
                database.Timeout,
                (some, locks) => SendAsync(batch, some, _statement.For(isLocked, locks), unread, cancellationToken),
                (some, trouble) => Settle(batch, some, trouble)).ConfigureAwait(false);
        }

        if (unread.Count > 0)
            throw new StoreException(StoreErrorKind.Unknown, "Keys were changed again and again while they were read.");
    }

    private async ValueTask<KeyTrouble?> SendAsync(ReadBatch batch, KeyRange keys, string sql, List<int> unread, CancellationToken token)
    {
        var answer = await database.AskAsync(
            static (connection, x, limit) => x.Reader.ExecuteAsync(connection, x.Sql, x.Batch, x.Keys, limit),
            (Reader: this, Sql: sql, Batch: batch, Keys: keys),
            token).ConfigureAwait(false);
        if (answer.Trouble is { } trouble)
            return trouble;
        for (var place = 0; place < keys.Count; place++)
        {
            var index = keys.IndexAt(place);
            if (keys.AreSuspects)
                suspects.Remove(batch[index].Key);
            if ((answer.Result[place] ?? Nothing).Settle(batch[index].Claim) is { } outcome)
                batch.SetOutcome(index, outcome);
            else
                unread.Add(index);
        }

        return null;
    }

    private async ValueTask<KeyImage?[]> ExecuteAsync(SqlConnection connection, string sql, ReadBatch batch, KeyRange keys, SilenceLimit limit)
    {
        var command = new SqlCommand(sql, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.AddTable(ReadStatement.Keys, _keyType, ReadRows.Of(keys, index => batch[index].Claim));
            command.Parameters.Add(ReadStatement.Now, SqlDbType.BigInt).Value = time.GetUtcNow().ToUnixTimeMilliseconds();
            var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess, limit.Token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
                return await KeyImages.ReadAsync(reader, keys.Count, batch, limit).ConfigureAwait(false);
        }
    }

    // An error of which nothing is known may pass: the lane reads the key again for a while.
    private void Settle(ReadBatch batch, KeyRange keys, in KeyTrouble trouble)
    {
        var outcome = ReadOutcome.Of(trouble.IsCertain
            ? trouble.Error
            : new StoreException(StoreErrorKind.Unknown, trouble.Error.Message, trouble.Error));
        for (var place = 0; place < keys.Count; place++)
            batch.SetOutcome(keys.IndexAt(place), outcome);
        if (keys.Count == 1)
            suspects.Add(batch[keys.IndexAt(0)].Key);
    }
}

using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>Reads batches, with their claims, in one round trip, or in more if a key changes meanwhile.</summary>
internal sealed class BatchReader(Database database, SuspectKeys suspects, TimeProvider time)
{
    /// <summary>The most round trips. A third is needed only if a key is created or swept between two statements of the second.</summary>
    private const int MaxRounds = 5;

    private static readonly KeyImage Nothing = new();

    private readonly ReadStatement _statement = new(database.Schema, database.LockTimeout);
    private readonly string _keyType = Layout.In(database.Schema, ReadRows.KeyType);

    /// <exception cref="StoreException">The request failed. The error applies to all keys without an outcome.</exception>
    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        for (var round = 1; round <= MaxRounds; round++)
        {
            var isLocked = round > 1;
            var isChanged = false;
            await new ReadIsolation(
                batch,
                suspects,
                database.Timeout,
                async (some, isPatient, token) =>
                {
                    using var keys = KeyOrder.Of(some, index => batch[index].Key);
                    var claims = some.Any(index => batch[index].Claim is not null);
                    var parts = some.Any(index => batch[index].ReadsParts);
                    var hasLongKeys = LongKeyRows.HasAny(keys);
                    var sql = _statement.For(isLocked, claims, parts, hasLongKeys, isPatient ? LockWait.Short : LockWait.None);
                    var answer = await AskAsync(batch, keys, sql, hasLongKeys, token).ConfigureAwait(false);
                    if (answer.Trouble is not { } trouble)
                        isChanged |= !Settle(batch, keys, answer.Result);
                    else
                        return trouble.IsCertain ? trouble.Error : trouble.AsUnknown();
                    return null;
                }).RunAsync(refused: null, cancellationToken).ConfigureAwait(false);
            if (!isChanged)
                return;
        }

        throw new StoreException(StoreErrorKind.Unknown, "Keys were changed again and again while they were read.");
    }

    private ValueTask<Answer<KeyImage?[]>> AskAsync(ReadBatch batch, KeyOrder keys, string sql, bool hasLongKeys, CancellationToken token) => database.AskAsync(
        static (connection, x, limit) => x.Reader.ExecuteAsync(connection, x.Sql, x.Batch, x.Keys, x.HasLongKeys, limit),
        (Reader: this, Sql: sql, Batch: batch, Keys: keys, HasLongKeys: hasLongKeys),
        token);

    // A separate method, so that requests without long keys do not allocate its closure.
    private void AddLongKeys(SqlParameterCollection parameters, KeyOrder keys, ReadBatch batch) =>
        LongKeyRows.AddTo(parameters, database.Schema, keys, index => batch[index].Key);

    /// <returns>Whether all keys are decided. An undecided key changed during the read.</returns>
    private static bool Settle(ReadBatch batch, KeyOrder keys, KeyImage?[] images)
    {
        var areSettled = true;
        for (var place = 0; place < keys.Count; place++)
        {
            var index = keys.IndexAt(place);
            if ((images[place] ?? Nothing).Settle(batch[index]) is { } outcome)
                batch.SetOutcome(index, outcome);
            else
                areSettled = false;
        }

        return areSettled;
    }

    private async ValueTask<KeyImage?[]> ExecuteAsync(
        SqlConnection connection, string sql, ReadBatch batch, KeyOrder keys, bool hasLongKeys, SilenceLimit limit)
    {
        var command = new SqlCommand(sql, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.AddTable(ReadStatement.Keys, _keyType, ReadRows.Of(keys, batch));
            if (hasLongKeys)
                AddLongKeys(command.Parameters, keys, batch);
            command.Parameters.Add(ReadStatement.Request, SqlDbType.VarBinary, 16).Value = Guid.NewGuid().ToByteArray();
            command.Parameters.Add(ReadStatement.Now, SqlDbType.BigInt).Value = time.GetUtcNow().ToUnixTimeMilliseconds();
            var reader = await command.ExecuteReaderAsync(CommandBehavior.SequentialAccess, limit.Token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
                return await KeyImages.ReadAsync(reader, keys.Count, batch, limit).ConfigureAwait(false);
        }
    }
}

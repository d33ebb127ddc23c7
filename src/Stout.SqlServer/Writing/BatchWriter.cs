using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Writing;

/// <summary>Commits batches, each in one round trip and one transaction, or in several if one key stops the transaction.</summary>
internal sealed class BatchWriter(Database database, SuspectKeys suspects, TimeProvider time)
{
    private readonly WriteStatement _statement = new(database.Schema, database.LockTimeout);
    private readonly string _keyType = Layout.In(database.Schema, WriteRows.KeyType);
    private readonly string _partType = Layout.In(database.Schema, WriteRows.PartType);

    /// <exception cref="StoreException">The request failed. The error applies to all keys without an outcome.</exception>
    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken) => new WriteIsolation(
        batch,
        suspects,
        database.Timeout,
        (some, isPatient, token) => SendAsync(batch, some, isPatient ? LockWait.Short : LockWait.None, token))
        .RunAsync(refused: null, cancellationToken);

    private async ValueTask<StoreException?> SendAsync(WriteBatch batch, IReadOnlyList<int> indexes, LockWait locks, CancellationToken token)
    {
        using var keys = KeyOrder.Of(indexes, index => batch[index].Key);
        var rows = new WriteRows(batch, keys).Scan();
        var sql = _statement.For(rows.Inserts, rows.PutsParts, rows.RemovesParts, rows.InsertsLongKeys, locks);
        var answer = await AskAsync(sql, rows, token).ConfigureAwait(false);
        if (answer.Trouble is { IsCertain: true } certain)
            return certain.Error;
        if (answer.Trouble is { } trouble)
        {
            // The request has ended, so the stamps tell whether all of it was applied, or nothing.
            answer = await AskAsync(_statement.Look, rows, token).ConfigureAwait(false);
            if (answer.Trouble is not null)
                return trouble.AsUnknown();
            if (IsUntouched(batch, keys, answer.Result!))
                return trouble.Error;
        }

        SetOutcomes(batch, keys, answer.Result);
        return null;
    }

    private ValueTask<Answer<Dictionary<int, KeyHeader?>?>> AskAsync(string sql, WriteRows rows, CancellationToken token) => database.AskAsync(
        static (connection, x, limit) => x.Writer.ExecuteAsync(connection, x.Sql, x.Rows, limit.Token), (Writer: this, Sql: sql, Rows: rows), token);

    /// <returns>
    /// The keys whose header update failed, by their positions, with their stored versions and owners (null for a damaged header); null if all
    /// succeeded.
    /// </returns>
    private async ValueTask<Dictionary<int, KeyHeader?>?> ExecuteAsync(SqlConnection connection, string sql, WriteRows rows, CancellationToken token)
    {
        var command = new SqlCommand(sql, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(WriteStatement.Request, SqlDbType.VarBinary, 16).Value = Guid.NewGuid().ToByteArray();
            command.Parameters.Add(WriteStatement.Now, SqlDbType.BigInt).Value = time.GetUtcNow().ToUnixTimeMilliseconds();
            command.Parameters.AddTable(WriteStatement.Keys, _keyType, rows.Keys());
            if (rows.InsertsLongKeys)
                rows.AddLongKeysTo(command.Parameters, database.Schema);
            if (rows.PutsParts || rows.RemovesParts)
                command.Parameters.AddTable(WriteStatement.Parts, _partType, rows.Parts());
            var reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
                return await ReadLostAsync(reader, token).ConfigureAwait(false);
        }
    }

    private static async ValueTask<Dictionary<int, KeyHeader?>?> ReadLostAsync(SqlDataReader reader, CancellationToken token)
    {
        Dictionary<int, KeyHeader?>? lost = null;
        while (await reader.ReadAsync(token).ConfigureAwait(false))
        {
            lost ??= [];
            lost[reader.GetInt32(0)] = reader.IsDBNull(1) ? default(KeyHeader) : StoredHeader.Read(reader, 2)?.Key;
        }

        // The commit's result, or its error, follows the rows, so all results are read.
        while (await reader.NextResultAsync(token).ConfigureAwait(false))
        {
        }

        return lost;
    }

    private static void SetOutcomes(WriteBatch batch, KeyOrder keys, Dictionary<int, KeyHeader?>? lost)
    {
        for (var place = 0; place < keys.Count; place++)
        {
            var stored = default(KeyHeader?);
            var isWon = lost is null || !lost.TryGetValue(place, out stored);
            batch.SetOutcome(keys.IndexAt(place), isWon ? new(WriteOutcomeKind.Committed) : StampCheck.Outcome(stored, batch[keys.IndexAt(place)]));
        }
    }

    private static bool IsUntouched(WriteBatch batch, KeyOrder keys, Dictionary<int, KeyHeader?> stored) =>
        stored.Any(key => key.Value?.Version == batch[keys.IndexAt(key.Key)].Expected)
        && !stored.Any(key => key.Value?.Version == batch[keys.IndexAt(key.Key)].Next);
}

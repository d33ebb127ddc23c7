using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Writing;

/// <summary>Commits batches, each in one round trip and one transaction.</summary>
internal sealed class BatchWriter(Database database, TimeProvider time)
{
    private readonly WriteStatement _statement = new(database.Schema);
    private readonly string _keyType = Layout.In(database.Schema, WriteRows.KeyType);
    private readonly string _partType = Layout.In(database.Schema, WriteRows.PartType);

    /// <exception cref="StoreException">What has become of the keys without an outcome.</exception>
    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        using var keys = new KeyOrder(batch.Count);
        for (var i = 0; i < batch.Count; i++)
        {
            if (batch.OutcomeOf(i).Kind == WriteOutcomeKind.Unknown)
                keys.Add(i, batch[i].Key);
        }

        keys.Sort();
        var lost = await database.RunAsync(
            static (connection, x, token) => x.Writer.ExecuteAsync(connection, x.Rows, token),
            (Writer: this, Rows: new WriteRows(batch, keys).Scan()),
            cancellationToken).ConfigureAwait(false);

        for (var place = 0; place < keys.Count; place++)
        {
            var index = keys.IndexAt(place);
            var stored = Stamp.Absent;
            var isWon = lost is null || !lost.TryGetValue(place, out stored);
            batch.SetOutcome(index, new WriteOutcome(isWon ? WriteOutcomeKind.Committed : StampCheck.Judge(stored, batch[index])));
        }
    }

    /// <returns>The keys that were not won, by their places in the order, with the stamps that the store holds; null if there are none.</returns>
    private async ValueTask<Dictionary<int, Stamp>?> ExecuteAsync(SqlConnection connection, WriteRows rows, CancellationToken token)
    {
        var command = new SqlCommand(_statement.For(rows.Inserts, rows.PutsParts, rows.RemovesParts), connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(WriteStatement.Request, SqlDbType.VarBinary, 16).Value = Guid.NewGuid().ToByteArray();
            command.Parameters.Add(WriteStatement.Now, SqlDbType.BigInt).Value = time.GetUtcNow().ToUnixTimeMilliseconds();
            command.Parameters.AddTable(WriteStatement.Keys, _keyType, rows.Keys());
            if (rows.PutsParts || rows.RemovesParts)
                command.Parameters.AddTable(WriteStatement.Parts, _partType, rows.Parts());
            var reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
                return await ReadLostAsync(reader, token).ConfigureAwait(false);
        }
    }

    private static async ValueTask<Dictionary<int, Stamp>?> ReadLostAsync(SqlDataReader reader, CancellationToken token)
    {
        Dictionary<int, Stamp>? lost = null;
        while (await reader.ReadAsync(token).ConfigureAwait(false))
        {
            lost ??= [];
            lost[reader.GetInt32(0)] = reader.IsDBNull(1) ? Stamp.Absent : Stamp.Read(reader.GetFieldValue<byte[]>(1));
        }

        // The commit comes after the rows, and its error too.
        while (await reader.NextResultAsync(token).ConfigureAwait(false))
        {
        }

        return lost;
    }
}

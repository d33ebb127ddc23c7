using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.SqlServer.Reading;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>Removes dead rows in small steps: some keys are looked for, and their rows removed. Keys that something holds are left for later.</summary>
internal sealed class SweepSteps(Database database, TimeSpan retention, TimeProvider time)
{
    private const int KeysPerStep = 64;

    /// <summary>With the headers and notes of the keys this is far below the 5,000 locks at which SQL Server locks the table.</summary>
    private const int RowsPerStep = 256;

    private readonly FindStatement _find = new(database.Schema, database.LockTimeout);
    private readonly RemoveStatement _remove = new(database.Schema, database.LockTimeout);
    private readonly string _keyType = Layout.In(database.Schema, ReadRows.KeyType);

    /// <summary>The last key of the step before; empty before the first step of a round through all keys.</summary>
    private byte[] _after = [];
    private bool _roundLeftRows;

    /// <summary>Removes a few rows.</summary>
    /// <returns>Whether there may be more.</returns>
    /// <exception cref="StoreException">Nothing was removed this time, or it is not known.</exception>
    public async ValueTask<bool> StepAsync(CancellationToken cancellationToken)
    {
        using var keys = new SweepRows(KeysPerStep);
        using var headers = new SweepRows(KeysPerStep);
        await database.RunAsync(
            static (connection, x, token) => x.Steps.FindAsync(connection, x.Keys, x.Headers, token),
            (Steps: this, Keys: keys, Headers: headers),
            cancellationToken).ConfigureAwait(false);
        var parts = await RemoveAsync(keys, ofHeaders: false, cancellationToken).ConfigureAwait(false);
        var gone = await RemoveAsync(headers, ofHeaders: true, cancellationToken).ConfigureAwait(false);

        // A key whose rows were more than a step takes is still noted: another round finds it.
        _roundLeftRows |= parts.WasCut;
        if (keys.Keys.Count == KeysPerStep)
        {
            _after = keys.Keys.BytesOf(KeysPerStep - 1).ToArray();
            return true;
        }

        var isMore = _roundLeftRows || (headers.Keys.Count == KeysPerStep && gone.Rows > 0);
        (_after, _roundLeftRows) = ([], false);
        return isMore;
    }

    private async ValueTask<int> FindAsync(SqlConnection connection, SweepRows keys, SweepRows headers, CancellationToken token)
    {
        var command = new SqlCommand(_find.Text, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(FindStatement.Keys, SqlDbType.Int).Value = KeysPerStep;
            command.Parameters.Add(FindStatement.After, SqlDbType.VarBinary, StoredKey.MaxKeyBytes).Value = _after;
            command.Parameters.Add(FindStatement.Before, SqlDbType.BigInt).Value = (time.GetUtcNow() - retention).ToUnixTimeMilliseconds();
            var reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                // The call may be made again.
                keys.Clear();
                headers.Clear();
                while (await reader.ReadAsync(token).ConfigureAwait(false))
                    keys.Add(reader.GetFieldValue<byte[]>(0));
                await reader.NextResultAsync(token).ConfigureAwait(false);
                while (await reader.ReadAsync(token).ConfigureAwait(false))
                {
                    // A damaged header is no deleted one for sure.
                    if (StoredStamp.Read(reader.GetFieldValue<byte[]>(1)) is { } stamp)
                        headers.Add(reader.GetFieldValue<byte[]>(0), stamp);
                }
            }
        }

        keys.Keys.Sort();
        headers.Keys.Sort();
        return 0;
    }

    private async ValueTask<(int Rows, bool WasCut)> RemoveAsync(SweepRows rows, bool ofHeaders, CancellationToken token)
    {
        var (removed, wasCut) = (0, false);
        if (rows.Keys.Count == 0)
            return default;
        await KeySplitter.RunAsync(
            rows.Keys,
            database.Timeout,
            async (some, locks) =>
            {
                var answer = await database.AskAsync(
                    static (connection, x, limit) => x.Steps.RemoveAsync(connection, x.Sql, x.Rows, x.Some, limit.Token),
                    (Steps: this, Sql: _remove.For(ofHeaders, locks), Rows: rows, Some: some),
                    token).ConfigureAwait(false);
                removed += answer.Result;
                wasCut |= answer.Result >= RowsPerStep;
                return answer.Trouble;
            },
            static (_, _) => { }).ConfigureAwait(false);
        return (removed, wasCut);
    }

    private async ValueTask<int> RemoveAsync(SqlConnection connection, string sql, SweepRows rows, KeyRange some, CancellationToken token)
    {
        var command = new SqlCommand(sql, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(RemoveStatement.Rows, SqlDbType.Int).Value = RowsPerStep;
            command.Parameters.AddTable(RemoveStatement.Keys, _keyType, rows.Of(some));
            return (int)(await command.ExecuteScalarAsync(token).ConfigureAwait(false))!;
        }
    }
}

using System.Data;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.SqlServer.Reading;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>Removes dead rows in small steps: each finds some keys and removes their rows. Busy keys are left for later.</summary>
internal sealed class SweepSteps(Database database, StoreSweepOptions options, TimeProvider time, BackgroundJob job)
{
    private const int MaxKeysPerStep = 64;

    /// <summary>
    /// The default batch size. With the keys' rows of <c>header</c> and <c>garbage</c>, a step stays far below 5,000 locks, at which SQL Server locks the
    /// table.
    /// </summary>
    private const int DefaultBatchSize = 256;

    private readonly Database _database = database;
    private readonly BackgroundJob _job = job;
    private readonly int _batchSize = options.BatchSize ?? DefaultBatchSize;
    private readonly int _keysPerStep = Math.Min(options.BatchSize ?? DefaultBatchSize, MaxKeysPerStep);
    private readonly FindStatement _find = new(database.Schema, database.LockTimeout);
    private readonly RemoveStatement _remove = new(database.Schema, database.LockTimeout);
    private readonly string _keyType = Layout.In(database.Schema, ReadRows.KeyType);

    /// <summary>The last key of the previous step; empty at the start of a round.</summary>
    private byte[] _after = [];
    private bool _roundLeftRows;

    /// <summary>Removes a few rows.</summary>
    /// <returns>Whether there may be more rows to remove.</returns>
    /// <exception cref="StoreException">The step failed, or its outcome is unknown.</exception>
    public async ValueTask<bool> StepAsync(CancellationToken cancellationToken)
    {
        var (keys, headers) = (new SweepRows(), new SweepRows());
        await _database.RunAsync(
            static (connection, x, token) => x.Steps.FindAsync(connection, x.Keys, x.Headers, token),
            (Steps: this, Keys: keys, Headers: headers),
            cancellationToken).ConfigureAwait(false);
        var parts = await RemoveAsync(keys, ofHeaders: false, cancellationToken).ConfigureAwait(false);
        var gone = await RemoveAsync(headers, ofHeaders: true, cancellationToken).ConfigureAwait(false);

        // A key with more dead rows than a step removes keeps its row in the table garbage, so the next round finds the key.
        _roundLeftRows |= parts.WasCut;
        if (keys.Count == _keysPerStep)
        {
            _after = keys.LastKey;
            return true;
        }

        var isMore = _roundLeftRows || (headers.Count == _keysPerStep && gone.Rows > 0);
        (_after, _roundLeftRows) = ([], false);
        return isMore;
    }

    private async ValueTask<int> FindAsync(SqlConnection connection, SweepRows keys, SweepRows headers, CancellationToken token)
    {
        var command = new SqlCommand(_find.Text, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(FindStatement.Keys, SqlDbType.Int).Value = _keysPerStep;
            command.Parameters.Add(FindStatement.After, SqlDbType.VarBinary, StoredKey.MaxKeyBytes).Value = _after;
            command.Parameters.Add(FindStatement.Before, SqlDbType.BigInt).Value = (time.GetUtcNow() - options.Retention).ToUnixTimeMilliseconds();
            var reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                // The call may run this method again, after an attempt that has already added keys.
                keys.Clear();
                headers.Clear();
                while (await reader.ReadAsync(token).ConfigureAwait(false))
                    keys.Add(reader.GetFieldValue<byte[]>(0));
                await reader.NextResultAsync(token).ConfigureAwait(false);
                while (await reader.ReadAsync(token).ConfigureAwait(false))
                {
                    // A damaged header is skipped, since it may not have expired. Columns are read in their order.
                    var key = reader.GetFieldValue<byte[]>(0);
                    if (StoredHeader.ReadKey(reader, 1) is { } header)
                        headers.Add(key, header);
                }
            }
        }

        return 0;
    }

    private async ValueTask<(int Rows, bool WasCut)> RemoveAsync(SweepRows rows, bool ofHeaders, CancellationToken token)
    {
        if (rows.Count == 0)
            return default;
        var removal = new Removal(this, rows, ofHeaders);
        await removal.RunAsync(refused: null, token).ConfigureAwait(false);
        return (removal.Rows, removal.WasCut);
    }

    private async ValueTask<int> RemoveAsync(SqlConnection connection, string sql, SweepRows rows, KeyOrder some, CancellationToken token)
    {
        var command = new SqlCommand(sql, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(RemoveStatement.Rows, SqlDbType.Int).Value = _batchSize;
            command.Parameters.AddTable(RemoveStatement.Keys, _keyType, rows.Of(some));
            return (int)(await command.ExecuteScalarAsync(token).ConfigureAwait(false))!;
        }
    }

    /// <summary>Removes the rows of some keys. Busy keys are left to another sweep.</summary>
    private sealed class Removal(SweepSteps steps, SweepRows rows, bool ofHeaders) : KeyIsolation(suspects: null, steps._database.Timeout)
    {
        public int Rows { get; private set; }

        public bool WasCut { get; private set; }

        protected override int Count => rows.Count;

        protected override PartitionKey KeyOf(int index) => throw new NotSupportedException("Sweeps have no suspects.");

        protected override bool IsOpen(int index) => true;

        protected override async ValueTask<StoreException?> SendAsync(IReadOnlyList<int> indexes, bool isPatient, CancellationToken cancellationToken)
        {
            using var keys = rows.Order(indexes);
            var answer = await steps._database.AskAsync(
                static (connection, x, limit) => x.Steps.RemoveAsync(connection, x.Sql, x.Rows, x.Keys, limit.Token),
                (Steps: steps, Sql: steps._remove.For(ofHeaders, isPatient ? LockWait.Short : LockWait.None), Rows: rows, Keys: keys),
                cancellationToken).ConfigureAwait(false);
            Rows += answer.Result;
            WasCut |= answer.Result >= steps._batchSize;
            return answer.Trouble?.Error;
        }

        /// <summary>Reports the failure of a key, except of a busy one: another sweep finds it free.</summary>
        protected override void Fail(int index, StoreException error)
        {
            if (error.Kind != StoreErrorKind.Busy)
                steps._job.Fail(error);
        }
    }
}

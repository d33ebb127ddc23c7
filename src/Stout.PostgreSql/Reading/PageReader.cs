using System.Data;
using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>Reads values of one large key over one connection, as of a stamp.</summary>
internal sealed class PageReader : IDisposable
{
    private const int PieceBytes = 64 << 10;

    private readonly NpgsqlCommand _command;
    private readonly NpgsqlParameter<byte[]> _key = new() { NpgsqlDbType = NpgsqlDbType.Bytea };
    private readonly NpgsqlParameter<byte[]> _stamp = new() { NpgsqlDbType = NpgsqlDbType.Bytea };
    private readonly NpgsqlParameter<Guid?> _claim = new() { NpgsqlDbType = NpgsqlDbType.Uuid };
    private readonly NpgsqlParameter<List<byte[]?>> _subKeys = new() { NpgsqlDbType = NpgsqlDbType.Array | NpgsqlDbType.Bytea };

    public PageReader(NpgsqlConnection connection, string schema)
    {
        var quoted = SessionSettings.Quote(schema);

        // After a write the stamp differs, and the statement finds no row. In a read for a claim, the header must still have that claim, too.
        _command = new NpgsqlCommand(
            $"""
            SELECT r.place, h.value FROM unnest($3) WITH ORDINALITY AS r (subkey, place)
                JOIN {quoted}.header h ON h.key = $1 AND h.stamp = $2 AND ($4 IS NULL OR h.claim = $4) AND r.subkey IS NULL
            UNION ALL
            SELECT r.place, p.value FROM unnest($3) WITH ORDINALITY AS r (subkey, place)
                JOIN {quoted}.header h ON h.key = $1 AND h.stamp = $2 AND ($4 IS NULL OR h.claim = $4)
                JOIN {quoted}.part p ON p.key = h.key AND p.generation = h.generation AND p.subkey = r.subkey
            """,
            connection)
        {
            Parameters = { _key, _stamp, _subKeys, _claim },
        };
    }

    /// <summary>Reads a page.</summary>
    /// <returns>Whether the header still had the key's stamp and, in a read for a claim, that claim. If not, the page was discarded.</returns>
    public async ValueTask<bool> ReadAsync(LargeKey key, List<MissingValue> page, ReadBatch batch, CancellationToken cancellationToken)
    {
        var stamp = new byte[Stamp.Bytes];
        key.Header.Version.Write(stamp);
        _key.TypedValue = RowKeys.Of(key.Key);
        _stamp.TypedValue = stamp;
        _claim.TypedValue = key.IsClaimed ? key.Header.Owner.Claim : null;
        _subKeys.TypedValue = page.ConvertAll(value => value.Bytes);
        var values = new byte[]?[page.Count];
        var answer = await _command.ExecuteReaderAsync(CommandBehavior.SequentialAccess, cancellationToken).ConfigureAwait(false);
        await using (answer.ConfigureAwait(false))
        {
            while (await answer.ReadAsync(cancellationToken).ConfigureAwait(false))
            {
                var place = (int)answer.GetInt64(0) - 1;
                if (!await answer.IsDBNullAsync(1, cancellationToken).ConfigureAwait(false))
                    values[place] = await ReadValueAsync(answer, batch, cancellationToken).ConfigureAwait(false);
            }

            await answer.NextResultAsync(cancellationToken).ConfigureAwait(false);
        }

        if (Array.IndexOf(values, null) >= 0)
            return false;
        key.Take(page, values);
        return true;
    }

    /// <summary>Reads a value in pieces, each of which is progress: a large value may take longer than the lane's time limit.</summary>
    private static async ValueTask<byte[]> ReadValueAsync(NpgsqlDataReader answer, ReadBatch batch, CancellationToken cancellationToken)
    {
        var stream = await answer.GetStreamAsync(1, cancellationToken).ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            var value = new byte[stream.Length];
            for (var read = 0; read < value.Length;)
            {
                read += await stream.ReadAtLeastAsync(value.AsMemory(read), Math.Min(PieceBytes, value.Length - read), cancellationToken: cancellationToken).ConfigureAwait(false);
                batch.ReportProgress();
            }

            return value;
        }
    }

    public void Dispose() => _command.Dispose();
}

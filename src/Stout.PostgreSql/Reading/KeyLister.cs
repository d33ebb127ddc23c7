using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>Lists keys over one connection.</summary>
internal sealed class KeyLister : IDisposable
{
    private readonly NpgsqlCommand _command;
    private readonly NpgsqlParameter<byte[]> _lower = new() { NpgsqlDbType = NpgsqlDbType.Bytea };
    private readonly NpgsqlParameter<byte[]> _upper = new() { NpgsqlDbType = NpgsqlDbType.Bytea };
    private readonly NpgsqlParameter<int> _most = new() { NpgsqlDbType = NpgsqlDbType.Integer };

    public KeyLister(NpgsqlConnection connection, string schema)
    {
        _command = new NpgsqlCommand(
            $"SELECT key, deleted_at IS NULL, long_key FROM {SessionSettings.Quote(schema)}.header WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3", connection)
        {
            Parameters = { _lower, _upper, _most },
        };
    }

    public async ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken)
    {
        (_lower.TypedValue, _upper.TypedValue, _most.TypedValue) = (listing.LowerBound(), listing.UpperBound(), listing.MostKeys);
        var headers = new List<ListedHeader>();
        var answer = await _command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (answer.ConfigureAwait(false))
        {
            while (await answer.ReadAsync(cancellationToken).ConfigureAwait(false))
                headers.Add(new ListedHeader(answer.GetFieldValue<byte[]>(0), answer.GetBoolean(1), StoredBytes.Read(answer, 2)));
        }

        return KeyPage.Of(listing, headers);
    }

    public void Dispose() => _command.Dispose();
}

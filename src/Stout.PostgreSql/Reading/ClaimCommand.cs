using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;
using Stout.Storage;

namespace Stout.PostgreSql.Reading;

/// <summary>The command that claims keys, with the arrays that it sends. The headers that are read after this command show which claims were taken.</summary>
internal sealed class ClaimCommand
{
    private readonly List<byte[]> _keys = [];
    private readonly List<Guid?> _claims = [];
    private readonly List<long> _leastEpochs = [];
    private readonly List<byte[]?> _fromStamps = [];
    private readonly List<long?> _fromEpochs = [];
    private readonly List<Guid?> _fromClaims = [];
    private readonly List<byte[]?> _longKeys = [];
    private readonly NpgsqlBatchCommand _short;
    private readonly NpgsqlBatchCommand _long;

    public ClaimCommand(string quotedSchema)
    {
        _short = Create($"SELECT {quotedSchema}.claim_keys($1, $2, $3, $4, $5, $6)");
        _long = Create($"SELECT {quotedSchema}.claim_keys($1, $2, $3, $4, $5, $6, $7)");
        _long.Parameters.Add(ArrayParameter.Of(_longKeys, NpgsqlDbType.Bytea));
    }

    /// <summary>The command for the keys that were added. If all keys are short, the command omits the array of long keys.</summary>
    public NpgsqlBatchCommand Command => _longKeys.Count == 0 ? _short : _long;

    /// <summary>Whether there is nothing to claim.</summary>
    public bool IsEmpty => _keys.Count == 0;

    /// <summary>Adds a claim.</summary>
    /// <param name="key">The row key.</param>
    /// <param name="claim">The claim.</param>
    /// <param name="longKey">The long key; null for a short one.</param>
    public void Add(byte[] key, KeyClaim claim, byte[]? longKey)
    {
        _keys.Add(key);
        _claims.Add(claim.Id == Guid.Empty ? null : claim.Id);
        _leastEpochs.Add(claim.AtLeastEpoch);
        if (longKey is not null)
        {
            while (_longKeys.Count < _keys.Count - 1)
                _longKeys.Add(null);
            _longKeys.Add(longKey);
        }

        // The server reads a missing end of an array as nulls. Most claims name no header, so these arrays are usually empty.
        if (claim.OnlyIf is not { } present)
            return;
        while (_fromStamps.Count < _keys.Count - 1)
            AddFrom(null, null, null);
        AddFrom(BytesOf(present.Version), StoredOwner.EpochOf(present.Owner), StoredOwner.ClaimOf(present.Owner));
    }

    public void Clear()
    {
        _keys.Clear();
        _claims.Clear();
        _leastEpochs.Clear();
        _fromStamps.Clear();
        _fromEpochs.Clear();
        _fromClaims.Clear();
        _longKeys.Clear();
    }

    private NpgsqlBatchCommand Create(string sql) => new(sql)
    {
        Parameters =
        {
            ArrayParameter.Of(_keys, NpgsqlDbType.Bytea),
            ArrayParameter.Of(_claims, NpgsqlDbType.Uuid),
            ArrayParameter.Of(_leastEpochs, NpgsqlDbType.Bigint),
            ArrayParameter.Of(_fromStamps, NpgsqlDbType.Bytea),
            ArrayParameter.Of(_fromEpochs, NpgsqlDbType.Bigint),
            ArrayParameter.Of(_fromClaims, NpgsqlDbType.Uuid),
        },
    };

    private static byte[] BytesOf(in Stamp version)
    {
        if (version.IsAbsent)
            return [];
        var bytes = new byte[Stamp.Bytes];
        version.Write(bytes);
        return bytes;
    }

    private void AddFrom(byte[]? stamp, long? epoch, Guid? claim)
    {
        _fromStamps.Add(stamp);
        _fromEpochs.Add(epoch);
        _fromClaims.Add(claim);
    }
}

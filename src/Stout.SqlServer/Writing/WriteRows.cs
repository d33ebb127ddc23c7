using System.Data;
using Microsoft.Data.SqlClient;
using Microsoft.Data.SqlClient.Server;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Writing;

/// <summary>A batch as rows of two table-valued parameters, created one by one while they are sent.</summary>
internal sealed class WriteRows(WriteBatch batch, KeyOrder keys)
{
    public const string KeyType = "[stout].[key_write]";
    public const string PartType = "[stout].[part_write]";

    private static readonly SqlMetaData[] KeyColumns =
    [
        new("n", SqlDbType.Int), new("key", SqlDbType.VarBinary, StoredKey.MaxKeyBytes), new("kind", SqlDbType.Int),
        new("expected", SqlDbType.VarBinary, Stamp.Bytes), new("epoch", SqlDbType.BigInt),
        new("claim", SqlDbType.VarBinary, StoredOwner.ClaimBytes), new("stamp", SqlDbType.VarBinary, Stamp.Bytes),
        new("root", SqlDbType.Int), new("has_rows", SqlDbType.Int), new("value", SqlDbType.VarBinary, RootPlaces.MaxInlineBytes),
    ];

    private static readonly SqlMetaData[] PartColumns =
    [
        new("n", SqlDbType.Int), new("subkey", SqlDbType.VarBinary, StoredKey.MaxSubKeyBytes),
        new("value", SqlDbType.VarBinary, SqlMetaData.Max),
    ];

    /// <summary>Whether the batch has keys that must have no header.</summary>
    public bool Inserts { get; private set; }

    /// <summary>Whether a key that must have no header is long, so that its new header has to keep the long key.</summary>
    public bool InsertsLongKeys { get; private set; }

    /// <summary>Whether the batch writes part rows.</summary>
    public bool PutsParts { get; private set; }

    /// <summary>Whether the batch removes part rows.</summary>
    public bool RemovesParts { get; private set; }

    /// <summary>Determines which statements the batch needs.</summary>
    public WriteRows Scan()
    {
        for (var place = 0; place < keys.Count; place++)
        {
            var index = keys.IndexAt(place);
            Inserts |= ExpectsNoHeader(batch[index]);
            InsertsLongKeys |= ExpectsNoHeader(batch[index]) && LongKeys.IsLong(batch[index].Key);
            foreach (ref readonly var part in batch.PartsOf(index))
            {
                PutsParts |= RootPlaces.IsRow(part) && !part.IsDeleted;
                RemovesParts |= RootPlaces.IsRow(part) && part.IsDeleted;
            }
        }

        return this;
    }

    /// <summary>The keys in order. All rows reuse one record.</summary>
    public IEnumerable<SqlDataRecord> Keys()
    {
        var row = new RecordWriter(KeyColumns);
        for (var place = 0; place < keys.Count; place++)
        {
            FillKey(row, place);
            yield return row.Record;
        }
    }

    /// <summary>Adds the parameter with the long keys.</summary>
    public void AddLongKeysTo(SqlParameterCollection parameters, string schema) =>
        LongKeyRows.AddTo(parameters, schema, keys, index => batch[index].Key);

    /// <summary>The part rows in the order of the keys. All rows reuse one record.</summary>
    public IEnumerable<SqlDataRecord> Parts()
    {
        var row = new RecordWriter(PartColumns);
        for (var place = 0; place < keys.Count; place++)
        {
            var count = batch.PartsOf(keys.IndexAt(place)).Length;
            for (var i = 0; i < count; i++)
            {
                if (TryFillPart(row, place, batch.PartsOf(keys.IndexAt(place))[i]))
                    yield return row.Record;
            }
        }
    }

    private void FillKey(RecordWriter row, int place)
    {
        var write = batch[keys.IndexAt(place)];
        var root = write.Kind == KeyWriteKind.Merge ? default(RootPlace?) : RootPlace.None;
        var hasRows = false;
        ReadOnlyMemory<byte> inline = default;
        foreach (ref readonly var part in batch.PartsOf(keys.IndexAt(place)))
        {
            hasRows |= RootPlaces.IsRow(part) && !part.IsDeleted;
            if (!part.SubKey.IsRoot)
                continue;
            root = RootPlaces.Of(part);
            inline = root == RootPlace.Inline ? part.Value : default;
        }

        row.Set(0, place);
        row.Set(1, keys.BytesOf(place));
        row.Set(2, (int)write.Kind);
        if (ExpectsNoHeader(write))
            row.SetNull(3);
        else
            row.Set(3, write.Expected);
        row.Set(4, write.Owner.Epoch);
        row.Set(5, write.Owner.Claim);
        row.Set(6, write.Next);
        if (root is { } known)
            row.Set(7, (int)known);
        else
            row.SetNull(7);
        row.Set(8, hasRows ? 1 : 0);
        if (root == RootPlace.Inline)
            row.Set(9, inline);
        else
            row.SetNull(9);
    }

    private static bool TryFillPart(RecordWriter row, int place, in PartWrite part)
    {
        if (!RootPlaces.IsRow(part))
            return false;
        row.Set(0, place);
        row.Set(1, part.SubKey);
        if (part.IsDeleted)
            row.SetNull(2);
        else
            row.Set(2, part.Value);
        return true;
    }

    // A key with an owner has a header since its claim. If the sweeper has removed that header, the write must not insert another.
    private static bool ExpectsNoHeader(in KeyWrite write) => write.Expected.IsAbsent && write.Owner == KeyOwner.None;
}

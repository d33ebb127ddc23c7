using System.Data;
using Microsoft.Data.SqlClient.Server;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Writing;

/// <summary>A batch as the rows of two table-valued parameters, made one by one while they are sent.</summary>
internal sealed class WriteRows(WriteBatch batch, KeyOrder keys)
{
    public const string KeyType = "[stout].[key_write]";
    public const string PartType = "[stout].[part_write]";

    private static readonly SqlMetaData[] KeyColumns =
    [
        new("n", SqlDbType.Int), new("key", SqlDbType.VarBinary, StoredKey.MaxKeyBytes), new("kind", SqlDbType.Int),
        new("expected", SqlDbType.VarBinary, Stamp.Bytes), new("epoch", SqlDbType.BigInt), new("stamp", SqlDbType.VarBinary, Stamp.Bytes),
        new("root", SqlDbType.Int), new("has_rows", SqlDbType.Int), new("value", SqlDbType.VarBinary, Layout.MaxInlineBytes),
    ];

    private static readonly SqlMetaData[] PartColumns =
    [
        new("n", SqlDbType.Int), new("subkey", SqlDbType.VarBinary, StoredKey.MaxSubKeyBytes),
        new("value", SqlDbType.VarBinary, SqlMetaData.Max),
    ];

    /// <summary>Whether there are keys that must not exist.</summary>
    public bool Inserts { get; private set; }

    /// <summary>Whether there are rows of parts to write.</summary>
    public bool PutsParts { get; private set; }

    /// <summary>Whether there are rows of parts to remove.</summary>
    public bool RemovesParts { get; private set; }

    /// <summary>Looks through the batch once, for what the statement has to do.</summary>
    public WriteRows Scan()
    {
        for (var place = 0; place < keys.Count; place++)
        {
            var index = keys[place].Index;
            Inserts |= batch[index].Expected.IsAbsent;
            foreach (ref readonly var part in batch.PartsOf(index))
            {
                PutsParts |= IsRow(part) && !part.IsDeleted;
                RemovesParts |= IsRow(part) && part.IsDeleted;
            }
        }

        return this;
    }

    /// <summary>The keys, in their order. The record is the same each time.</summary>
    public IEnumerable<SqlDataRecord> Keys()
    {
        var record = new SqlDataRecord(KeyColumns);
        var scratch = new byte[Stamp.Bytes];
        for (var place = 0; place < keys.Count; place++)
        {
            Fill(record, place, scratch);
            yield return record;
        }
    }

    /// <summary>The rows of parts, in the order of the keys. The record is the same each time.</summary>
    public IEnumerable<SqlDataRecord> Parts()
    {
        var record = new SqlDataRecord(PartColumns);
        var scratch = new byte[StoredKey.MaxSubKeyBytes];
        for (var place = 0; place < keys.Count; place++)
        {
            var count = batch.PartsOf(keys[place].Index).Length;
            for (var i = 0; i < count; i++)
            {
                if (Fill(record, place, batch.PartsOf(keys[place].Index)[i], scratch))
                    yield return record;
            }
        }
    }

    private void Fill(SqlDataRecord record, int place, byte[] scratch)
    {
        var entry = keys[place];
        var write = batch[entry.Index];
        var root = write.Kind == KeyWriteKind.Merge ? default(RootPlace?) : RootPlace.None;
        var hasRows = false;
        ReadOnlyMemory<byte> inline = default;
        foreach (ref readonly var part in batch.PartsOf(entry.Index))
        {
            hasRows |= IsRow(part) && !part.IsDeleted;
            if (!part.SubKey.IsRoot)
                continue;
            root = part.IsDeleted ? RootPlace.None : IsRow(part) ? RootPlace.Row : RootPlace.Inline;
            inline = root == RootPlace.Inline ? part.Value : default;
        }

        record.SetInt32(0, place);
        record.SetKey(1, keys, entry);
        record.SetInt32(2, (int)write.Kind);
        if (write.Expected.IsAbsent)
            record.SetDBNull(3);
        else
            record.SetStamp(3, write.Expected, scratch);
        record.SetInt64(4, write.Next.Epoch);
        record.SetStamp(5, write.Next, scratch);
        if (root is { } known)
            record.SetInt32(6, (int)known);
        else
            record.SetDBNull(6);
        record.SetInt32(7, hasRows ? 1 : 0);
        if (root == RootPlace.Inline)
            record.SetMemory(8, inline);
        else
            record.SetDBNull(8);
    }

    private static bool Fill(SqlDataRecord record, int place, in PartWrite part, byte[] scratch)
    {
        if (!IsRow(part))
            return false;
        record.SetInt32(0, place);
        record.SetSubKey(1, part.SubKey, scratch);
        if (part.IsDeleted)
            record.SetDBNull(2);
        else
            record.SetMemory(2, part.Value);
        return true;
    }

    // Where the object's own bytes are is the header's business, so removing them takes no row here.
    private static bool IsRow(in PartWrite part) => !part.SubKey.IsRoot || part.Value.Length > Layout.MaxInlineBytes;
}

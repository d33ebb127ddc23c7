using System.Runtime.InteropServices;
using Microsoft.Data.SqlClient.Server;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>Fills the one record that goes over and over again through a table-valued parameter.</summary>
internal static class RecordExtensions
{
    public static void SetStamp(this SqlDataRecord record, int ordinal, in Stamp stamp, byte[] scratch)
    {
        stamp.Write(scratch);
        record.SetBytes(ordinal, 0, scratch, 0, Stamp.Bytes);
    }

    public static void SetKey(this SqlDataRecord record, int ordinal, KeyOrder keys, in KeyOrder.Entry entry) =>
        record.SetBytes(ordinal, 0, keys.Bytes, entry.Start, entry.Length);

    public static void SetSubKey(this SqlDataRecord record, int ordinal, SubKey subKey, byte[] scratch) =>
        record.SetBytes(ordinal, 0, scratch, 0, StoredKey.Write(subKey.Text, scratch));

    public static void SetMemory(this SqlDataRecord record, int ordinal, ReadOnlyMemory<byte> value)
    {
        // SqlClient takes arrays only. Memory that is none is rare (a value mapped from a file, say) and copied.
        if (!MemoryMarshal.TryGetArray(value, out var array))
            array = value.ToArray();
        record.SetBytes(ordinal, 0, array.Array ?? [], array.Offset, array.Count);
    }
}

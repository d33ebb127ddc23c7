using System.Data.SqlTypes;
using System.Runtime.InteropServices;
using Microsoft.Data.SqlClient;
using Microsoft.Data.SqlClient.Server;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>
/// Fills one record, which is sent once for each row of a table-valued parameter. Values up to <see cref="ScratchBytes"/> are copied into one reused buffer;
/// larger ones are sent from an array.
/// </summary>
/// <param name="columns">The table type's columns.</param>
internal sealed class RecordWriter(SqlMetaData[] columns)
{
    private const int ScratchBytes = RootPlaces.MaxInlineBytes;

    // SetBytes would overwrite the start of the old value and keep the rest. SetSqlBytes also sets the length.
    private readonly SqlBytes _bytes = new(new byte[ScratchBytes]);

    /// <summary>The record.</summary>
    public SqlDataRecord Record { get; } = new(columns);

    public void Set(int ordinal, int value) => Record.SetInt32(ordinal, value);

    public void Set(int ordinal, long value) => Record.SetInt64(ordinal, value);

    public void SetNull(int ordinal) => Record.SetDBNull(ordinal);

    public void Set(int ordinal, in Stamp stamp)
    {
        stamp.Write(_bytes.Buffer);
        SetScratch(ordinal, Stamp.Bytes);
    }

    public void Set(int ordinal, SubKey subKey) => SetScratch(ordinal, StoredKey.Write(subKey, _bytes.Buffer));

    public void Set(int ordinal, ReadOnlySpan<byte> small)
    {
        small.CopyTo(_bytes.Buffer);
        SetScratch(ordinal, small.Length);
    }

    public void Set(int ordinal, ReadOnlyMemory<byte> value)
    {
        if (value.Length <= ScratchBytes)
        {
            Set(ordinal, value.Span);
            return;
        }

        // SqlClient accepts only arrays. Memory of another kind, such as a mapped file, is rare and copied.
        if (!MemoryMarshal.TryGetArray(value, out var array))
            array = value.ToArray();
        Record.SetDBNull(ordinal);
        Record.SetBytes(ordinal, 0, array.Array!, array.Offset, array.Count);
    }

    private void SetScratch(int ordinal, int length)
    {
        _bytes.SetLength(length);
        Record.SetSqlBytes(ordinal, _bytes);
    }
}

using System.Data.SqlTypes;
using System.Runtime.InteropServices;
using Microsoft.Data.SqlClient;
using Microsoft.Data.SqlClient.Server;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>
/// Fills the one record that goes over and over again through a table-valued parameter. Its own memory is used again for values up to
/// <see cref="ScratchBytes"/>; a larger one costs an array.
/// </summary>
/// <param name="columns">The table type's columns.</param>
internal sealed class RecordWriter(SqlMetaData[] columns)
{
    private const int ScratchBytes = Layout.MaxInlineBytes;

    // SetBytes overwrites the beginning of what the record holds already and keeps the rest. SetSqlBytes sets the length too.
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

    public void Set(int ordinal, SubKey subKey) => SetScratch(ordinal, StoredKey.Write(subKey.Text, _bytes.Buffer));

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

        // SqlClient takes arrays only. Memory that is none is rare (a value mapped from a file, say) and copied.
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

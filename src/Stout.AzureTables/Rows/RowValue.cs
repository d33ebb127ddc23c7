using System.Text.Json;
using Azure.Data.Tables;
using Stout.Storage;

namespace Stout.AzureTables.Rows;

/// <summary>
/// Stores a value in a row: its length in <c>Bytes</c>, and its bytes in <c>Value</c>, <c>Value1</c>, <c>Value2</c> …, with 64 KiB in each. The
/// length distinguishes an empty value from an absent one, and reveals a missing piece.
/// </summary>
internal static class RowValue
{
    /// <summary>The most bytes of one property.</summary>
    public const int PieceBytes = 64 << 10;

    private const string Length = "Bytes";

    private static readonly string[] Names = [.. Enumerable.Range(0, 16).Select(i => i == 0 ? "Value" : $"Value{i}")];

    private static readonly string[] TypeNames = [.. Names.Select(static name => name + "@odata.type")];

    public static void Write(Utf8JsonWriter json, ReadOnlySpan<byte> value)
    {
        json.WriteNumber(Length, value.Length);
        for (var piece = 0; !value.IsEmpty; piece++)
        {
            var length = Math.Min(PieceBytes, value.Length);
            json.WriteString(TypeNames[piece], "Edm.Binary"u8);
            json.WriteBase64String(Names[piece], value[..length]);
            value = value[length..];
        }
    }

    /// <summary>The value, assembled from its pieces; null if the row has no value.</summary>
    /// <exception cref="StoreException">A piece is missing.</exception>
    public static byte[]? Read(TableEntity row)
    {
        if (!row.TryGetValue(Length, out var length) || length is null)
            return !row.ContainsKey(Names[0]) || row[Names[0]] is null ? null : throw AzureTablesErrors.Damaged("A value");
        if (length is not (int and >= 0 and var bytes) || bytes > Names.Length * PieceBytes)
            throw AzureTablesErrors.Damaged("A value");
        if (bytes <= PieceBytes && row.ContainsKey(Names[0]) && !row.ContainsKey(Names[1]))
            return PieceOf(row, 0) is var only && only.Length == bytes ? only : throw AzureTablesErrors.Damaged("A value");
        var value = new byte[bytes];
        var end = 0;
        for (var piece = 0; piece < Names.Length && row.ContainsKey(Names[piece]); piece++)
        {
            var some = PieceOf(row, piece);
            if (some.Length > bytes - end)
                throw AzureTablesErrors.Damaged("A value");
            some.CopyTo(value, end);
            end += some.Length;
        }

        return end == bytes ? value : throw AzureTablesErrors.Damaged("A value");
    }

    private static byte[] PieceOf(TableEntity row, int piece) => row[Names[piece]] as byte[] ?? throw AzureTablesErrors.Damaged("A value");
}

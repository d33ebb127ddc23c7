using System.Buffers.Text;
using System.Text.Json;

namespace Stout.AzureTables.Rest;

/// <summary>
/// How a row holds a value: its length in <c>Bytes</c>, and its bytes in <c>Value</c>, <c>Value1</c>, <c>Value2</c> …, 64 KiB in each. The length
/// tells a value of 0 bytes from none, and shows a piece that is missing.
/// </summary>
internal static class RowValue
{
    /// <summary>The most bytes of one property.</summary>
    public const int PieceBytes = 64 << 10;

    public const string LengthProperty = "Bytes";

    private static readonly string[] Names = [.. Enumerable.Range(0, 16).Select(i => i == 0 ? "Value" : $"Value{i}")];

    private static readonly string[] TypeNames = [.. Names.Select(name => name + "@odata.type")];

    public static void Write(Utf8JsonWriter json, ReadOnlySpan<byte> value)
    {
        json.WriteNumber(LengthProperty, value.Length);
        for (var piece = 0; !value.IsEmpty; piece++)
        {
            var length = Math.Min(PieceBytes, value.Length);
            json.WriteString(TypeNames[piece], "Edm.Binary"u8);
            json.WriteBase64String(Names[piece], value[..length]);
            value = value[length..];
        }
    }

    /// <summary>Which piece of a value a property is; null: none.</summary>
    public static int? PieceOf(ReadOnlySpan<byte> name)
    {
        if (!name.StartsWith("Value"u8))
            return null;
        if (name.Length == 5)
            return 0;
        return Utf8Parser.TryParse(name[5..], out int piece, out var length) && length == name.Length - 5 && piece is > 0 and < 16 ? piece : null;
    }
}

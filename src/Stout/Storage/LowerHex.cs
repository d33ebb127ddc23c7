using System.Buffers;

namespace Stout.Storage;

/// <summary>The form of stamps and owners in stores that keep text: lower-case hexadecimal digits.</summary>
internal static class LowerHex
{
    /// <summary>Reads a text that may be damaged. Upper-case digits are invalid: they are never written, and would sort differently.</summary>
    public static bool TryParse(string? text, Span<byte> bytes) =>
        text is not null
        && text.Length == 2 * bytes.Length
        && !text.AsSpan().ContainsAnyInRange('A', 'F')
        && Convert.FromHexString(text, bytes, out _, out _) == OperationStatus.Done;
}

using System.Text;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>
/// Converts keys and sub-keys to stored form: UTF-8 with a final byte 01. SQL Server ignores trailing zero bytes in comparisons, so without the 01
/// "a" and "a\0" would be one key.
/// </summary>
internal static class StoredKey
{
    public const int MaxKeyBytes = PartitionKey.MaxBytes + 1;

    public const int MaxSubKeyBytes = SubKey.MaxBytes + 1;

    private const byte End = 1;

    /// <returns>The number of bytes written.</returns>
    public static int Write(string text, Span<byte> destination)
    {
        var length = Encoding.UTF8.GetBytes(text, destination);
        destination[length] = End;
        return length + 1;
    }

    /// <summary>The UTF-8 of a stored key; empty if the final byte is missing.</summary>
    public static ReadOnlyMemory<byte> Utf8Of(byte[] stored) => stored is [.., End] ? stored.AsMemory(0, stored.Length - 1) : default;

    /// <returns>Whether the bytes are a valid stored sub-key.</returns>
    public static bool TryReadSubKey(ReadOnlySpan<byte> stored, out SubKey subKey)
    {
        subKey = default;
        try
        {
            if (stored is not [.. var utf8, End])
                return false;
            subKey = new SubKey(Utf8.GetString(utf8));
            return true;
        }
        catch (Exception error) when (error is DecoderFallbackException or InvalidKeyException)
        {
            return false;
        }
    }

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
}

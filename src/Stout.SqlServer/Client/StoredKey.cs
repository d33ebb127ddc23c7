using System.Text;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>
/// Keys and sub-keys as the tables keep them: UTF-8, and a byte 01 after it. SQL Server ignores zero bytes at the end when it compares
/// binary values; without the 01 "a" and "a\0" would be one key.
/// </summary>
internal static class StoredKey
{
    public const int MaxKeyBytes = PartitionKey.MaxBytes + 1;

    public const int MaxSubKeyBytes = SubKey.MaxBytes + 1;

    private const byte End = 1;

    /// <returns>How many bytes were written.</returns>
    public static int Write(string text, Span<byte> destination)
    {
        var length = Encoding.UTF8.GetBytes(text, destination);
        destination[length] = End;
        return length + 1;
    }

    /// <exception cref="StoreException">They are no stored sub-key's bytes.</exception>
    public static SubKey ReadSubKey(ReadOnlySpan<byte> stored)
    {
        try
        {
            if (stored is [.. var utf8, End])
                return new SubKey(Utf8.GetString(utf8));
        }
        catch (Exception error) when (error is DecoderFallbackException or InvalidKeyException)
        {
        }

        throw new StoreException(StoreErrorKind.Corrupt, "A stored sub-key is no sub-key.");
    }

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
}

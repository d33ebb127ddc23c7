using System.Text;
using Stout.Storage;

namespace Stout.SqlServer.Client;

/// <summary>
/// Converts row keys and sub-keys to stored form: UTF-8 with a final byte 01. SQL Server ignores trailing zero bytes in comparisons, so without the 01
/// "a" and "a\0" would be one key. The row key of a long key ends with a digit, and needs no final byte.
/// </summary>
internal static class StoredKey
{
    public const int MaxKeyBytes = LongKeys.RowKeyBytes;

    public const int MaxSubKeyBytes = SubKey.MaxBytes + 1;

    private const byte FinalByte = 1;

    /// <returns>The number of bytes written.</returns>
    public static int Write(PartitionKey key, Span<byte> destination) => End(LongKeys.WriteRowKey(key, destination), destination);

    /// <returns>The number of bytes written.</returns>
    public static int Write(SubKey subKey, Span<byte> destination) => End(Encoding.UTF8.GetBytes(subKey.Text, destination), destination);

    /// <summary>The stored form of a row key.</summary>
    public static byte[] Of(string rowKey)
    {
        Span<byte> stored = stackalloc byte[MaxKeyBytes];
        return stored[..End(Encoding.UTF8.GetBytes(rowKey, stored), stored)].ToArray();
    }

    /// <summary>Whether a stored key, written by this class, is the row key of a long key: only those have no final byte.</summary>
    public static bool IsLong(ReadOnlySpan<byte> stored) => stored is not [.., FinalByte];

    /// <summary>The UTF-8 of a stored row key; empty if the final byte is missing.</summary>
    public static ReadOnlyMemory<byte> Utf8Of(byte[] stored) => stored switch
    {
        [.., FinalByte] => stored.AsMemory(0, stored.Length - 1),
        { Length: LongKeys.RowKeyBytes } => stored,
        _ => default,
    };

    /// <returns>Whether the bytes are a valid stored sub-key.</returns>
    public static bool TryReadSubKey(ReadOnlySpan<byte> stored, out SubKey subKey)
    {
        subKey = default;
        return stored is [.. var utf8, FinalByte] && SubKeyBytes.TryRead(utf8, out subKey);
    }

    private static int End(int length, Span<byte> stored)
    {
        if (length > LongKeys.MaxShortBytes)
            return length;
        stored[length] = FinalByte;
        return length + 1;
    }
}

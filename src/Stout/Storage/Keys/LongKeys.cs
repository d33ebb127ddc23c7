using System.Security.Cryptography;
using System.Text;

namespace Stout.Storage;

/// <summary>
/// The names of keys in a store. A key of up to <see cref="MaxShortBytes"/> bytes of UTF-8 is its own row key. A longer key has a row key of <see
/// cref="RowKeyBytes"/> bytes, and its header keeps the whole key.
/// </summary>
/// <remarks>
/// <para>The row key of a long key begins with the key's longest prefix of whole code points within <see cref="PrefixBytes"/> bytes. The row key is then
/// filled up to 193 bytes with <c>~</c>. The SHA-256 of the key's UTF-8 follows, in 64 lower-case hexadecimal digits. This rule never changes, and any
/// language or database can compute it.</para>
/// <para>A short key never equals the row key of a long key, since their lengths differ. Two long keys share a row key only if their hashes collide. A read
/// or a claim compares the stored key (<see cref="Matches"/>), a claim before it changes the owner. A write needs no comparison: it names a version or an
/// owner with which its key was read or claimed.</para>
/// <para>Row keys keep the order of their prefixes. Long keys with the same prefix are in the order of their hashes.</para>
/// </remarks>
public static class LongKeys
{
    /// <summary>The longest key that is its own row key, in bytes of UTF-8.</summary>
    public const int MaxShortBytes = 256;

    /// <summary>The longest prefix of a long key in its row key, in bytes.</summary>
    public const int PrefixBytes = 192;

    /// <summary>The length of a long key's row key, in bytes. No row key is longer.</summary>
    public const int RowKeyBytes = PrefixBytes + 1 + (2 * SHA256.HashSizeInBytes);

    private const int HashAt = PrefixBytes + 1;

    /// <summary>Whether the key is longer than <see cref="MaxShortBytes"/>, so that its header keeps the whole key.</summary>
    public static bool IsLong(PartitionKey key) => IsLong(key.Text);

    /// <summary>The row key as a text. For a short key it is the key's own text, without an allocation.</summary>
    public static string RowKeyOf(PartitionKey key)
    {
        if (!IsLong(key.Text))
            return key.Text;
        Span<byte> rowKey = stackalloc byte[RowKeyBytes];
        return Encoding.UTF8.GetString(rowKey[..WriteLong(key.Text, rowKey)]);
    }

    /// <summary>Writes the row key in UTF-8.</summary>
    /// <param name="key">The key.</param>
    /// <param name="destination">At least <see cref="RowKeyBytes"/> bytes.</param>
    /// <returns>The number of bytes written.</returns>
    public static int WriteRowKey(PartitionKey key, Span<byte> destination) =>
        IsLong(key.Text) ? WriteLong(key.Text, destination) : Encoding.UTF8.GetBytes(key.Text, destination);

    /// <summary>The bytes that the header of a long key keeps: the key in UTF-8. Null for a short key.</summary>
    public static byte[]? StoredOf(PartitionKey key) => IsLong(key.Text) ? Encoding.UTF8.GetBytes(key.Text) : null;

    /// <summary>Whether a header is the key's own. It always is for a short key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="stored">The long key that the header keeps; empty if it keeps no key.</param>
    public static bool Matches(PartitionKey key, ReadOnlySpan<byte> stored) =>
        !IsLong(key.Text) || stored.SequenceEqual(Encoding.UTF8.GetBytes(key.Text));

    /// <summary>The error of a key whose header keeps another key.</summary>
    public static StoreException Mismatch() => new(
        StoreErrorKind.KeyMismatch, "The row of this long key names another key: the row is damaged, or the hashes of two keys are the same.");

    /// <summary>Reads a key from its row key and its header, which may be damaged.</summary>
    /// <param name="rowKey">The row key in UTF-8.</param>
    /// <param name="stored">The long key that the header keeps; empty if it keeps no key.</param>
    /// <returns>The key; null if the bytes are not a valid key, or the row key is another key's.</returns>
    public static PartitionKey? Read(ReadOnlySpan<byte> rowKey, ReadOnlySpan<byte> stored)
    {
        var isLong = rowKey.Length > MaxShortBytes;
        if (Decode(isLong ? stored : rowKey) is not { } key || IsLong(key) != isLong)
            return null;
        if (!isLong)
            return key;
        Span<byte> own = stackalloc byte[RowKeyBytes];
        return rowKey.SequenceEqual(own[..WriteLong(key.Text, own)]) ? key : null;
    }

    /// <summary>Returns the prefix that the row keys of all keys with the given prefix have in common.</summary>
    internal static string CutPrefix(string prefix)
    {
        if (prefix.Length <= PrefixBytes / 3)
            return prefix;
        var utf8 = Encoding.UTF8.GetBytes(prefix);
        return utf8.Length <= PrefixBytes ? prefix : Encoding.UTF8.GetString(utf8, 0, EndOfPrefix(utf8));
    }

    // A UTF-16 unit takes at most 3 bytes in UTF-8, so texts of up to a third of the limit need no count.
    private static bool IsLong(string text) => text.Length > MaxShortBytes / 3 && Encoding.UTF8.GetByteCount(text) > MaxShortBytes;

    private static int WriteLong(string text, Span<byte> rowKey)
    {
        var utf8 = Encoding.UTF8.GetBytes(text);
        var end = EndOfPrefix(utf8);
        utf8.AsSpan(0, end).CopyTo(rowKey);
        rowKey[end..HashAt].Fill((byte)'~');
        _ = Convert.TryToHexStringLower(SHA256.HashData(utf8), rowKey[HashAt..RowKeyBytes], out _);
        return RowKeyBytes;
    }

    /// <summary>The end of the last whole code point within <see cref="PrefixBytes"/> bytes of a longer text.</summary>
    private static int EndOfPrefix(ReadOnlySpan<byte> utf8)
    {
        const int Continues = 0b1000_0000;
        var end = PrefixBytes;
        while ((utf8[end] & 0b1100_0000) == Continues)
            end--;
        return end;
    }

    private static PartitionKey? Decode(ReadOnlySpan<byte> utf8)
    {
        try
        {
            return utf8.IsEmpty || utf8.Length > PartitionKey.MaxBytes ? null : new PartitionKey(SubKeyBytes.StrictUtf8.GetString(utf8));
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }
}

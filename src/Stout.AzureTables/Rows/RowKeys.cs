using System.Text;
using System.Text.Unicode;
using Stout.Storage;

namespace Stout.AzureTables.Rows;

/// <summary>Converts keys to row keys and back.</summary>
/// <remarks>
/// <para>Letters, digits and <c>-._~</c> stay; every other byte of the UTF-8 becomes one ideograph from U+4E00 on. Each byte is one UTF-16 unit. So
/// the longest key, generation and sub-key (257 + 64 + 128, and two separators) fit into the 512 units of a row key, unlike base64. The result has no
/// character that the service forbids, that needs double escaping in a URL, or that case folding, normalization or trimming changes.</para>
/// <para>A key's rows form a range: its header is <c>key!</c>, its parts are <c>key!generation!subkey</c>. The separator sorts before all characters
/// of keys, so the range ends at the next character and contains no other key's rows. Rows that belong to no key start with the separator.</para>
/// </remarks>
internal static class RowKeys
{
    public const char Separator = '!';

    private const char RangeEnd = (char)(Separator + 1);

    private const int FirstIdeograph = 0x4E00;

    /// <summary>Sorts before every row of a key, and after every other row.</summary>
    public const string FirstOfKeys = "\"";

    /// <summary>Greater than each character of a key's rows.</summary>
    public const string AfterAllOfKeys = "\u4F00";

    /// <summary>The row of the partition's identity.</summary>
    public const string Identity = "!identity";

    /// <summary>The row with the partition's epoch floor.</summary>
    public const string Floor = "!floor";

    /// <summary>The prefix of all notes for the sweeper.</summary>
    public const string Garbage = "!garbage!";

    /// <summary>Encodes a key's name in the table: its row key.</summary>
    public static string Encode(PartitionKey key) => Encode(LongKeys.RowKeyOf(key));

    /// <summary>Encodes a long key, which its header keeps as a whole; null for a short key.</summary>
    public static string? EncodeLong(PartitionKey key) => LongKeys.IsLong(key) ? Encode(key.Text) : null;

    /// <summary>Encodes a row key, a prefix of one, or a sub-key.</summary>
    public static string Encode(string text)
    {
        var length = Encoding.UTF8.GetByteCount(text);
        return string.Create(length, text, static (characters, text) =>
        {
            Span<byte> utf8 = characters.Length <= LongKeys.RowKeyBytes ? stackalloc byte[LongKeys.RowKeyBytes] : new byte[characters.Length];
            Encoding.UTF8.GetBytes(text, utf8);
            for (var i = 0; i < characters.Length; i++)
                characters[i] = IsPlain(utf8[i]) ? (char)utf8[i] : (char)(FirstIdeograph + utf8[i]);
        });
    }

    /// <summary>Decodes a row key, a long key or a sub-key into its UTF-8.</summary>
    /// <exception cref="FormatException">The text is not a result of <see cref="Encode(string)"/>.</exception>
    public static byte[] DecodeBytes(ReadOnlySpan<char> encoded)
    {
        if (encoded.Length > PartitionKey.MaxBytes)
            throw new FormatException("It is too long.");
        var utf8 = new byte[encoded.Length];
        for (var i = 0; i < encoded.Length; i++)
        {
            var unit = encoded[i] < 0x80 ? encoded[i] : encoded[i] - FirstIdeograph;
            if (unit is < 0 or > 0xFF || IsPlain((byte)unit) != encoded[i] < 0x80)
                throw new FormatException("It has a character that no key is encoded with.");
            utf8[i] = (byte)unit;
        }

        return utf8;
    }

    /// <summary>Whether a text is a row key encoded by <see cref="Encode(string)"/>.</summary>
    public static bool IsKey(string encoded)
    {
        try
        {
            return encoded.Length is > 0 and <= LongKeys.RowKeyBytes && Utf8.IsValid(DecodeBytes(encoded));
        }
        catch (FormatException)
        {
            return false;
        }
    }

    public static string Header(string encodedKey) => encodedKey + Separator;

    /// <summary>The row of a part; with an empty sub-key the prefix of all rows of a generation.</summary>
    public static string Part(string encodedKey, string generation, string encodedSubKey) =>
        string.Concat(encodedKey, "!", string.Concat(generation, "!", encodedSubKey));

    /// <summary>The first row key after all row keys with this prefix. The prefix must end with the separator.</summary>
    public static string EndOf(string prefix) => string.Concat(prefix.AsSpan(0, prefix.Length - 1), [RangeEnd]);

    public static bool IsPlain(byte ascii) => char.IsAsciiLetterOrDigit((char)ascii) || ascii is (byte)'-' or (byte)'.' or (byte)'_' or (byte)'~';
}

using System.Text;

namespace Stout.AzureTables.Rows;

/// <summary>How keys become row keys, and row keys keys.</summary>
/// <remarks>
/// <para>Letters, digits and <c>-._~</c> stand for themselves; every other byte of the UTF-8 is one ideograph, from U+4E00 on. So one byte
/// is one UTF-16 unit, and the longest key, generation and sub-key (256 + 64 + 128, and two separators) fit into the 512 units of a row key,
/// which base64 would exceed. Nothing is left that the service forbids, that a URL has to quote twice, or that case folding,
/// normalization or trimming could change: ideographs have neither case nor decompositions.</para>
/// <para>A key's rows are a range: its header is <c>key!</c>, its parts are <c>key!generation!subkey</c>. The separator sorts before all that
/// a key can consist of, so the range ends at the next character, and no other key's rows lie in it. What is not a key's begins with the separator.</para>
/// </remarks>
internal static class RowKeys
{
    public const char Separator = '!';

    private const char RangeEnd = (char)(Separator + 1);

    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private const int FirstIdeograph = 0x4E00;

    /// <summary>Comes before every row of a key, and after every row that belongs to no key.</summary>
    public const string FirstOfKeys = "\"";

    /// <summary>Greater than each character that a row of a key consists of.</summary>
    public const string AfterAllOfKeys = "\u4F00";

    /// <summary>The row that says which set the partition belongs to.</summary>
    public const string Identity = "!identity";

    /// <summary>What the names of all garbage rows begin with.</summary>
    public const string Garbage = "!garbage!";

    /// <summary>A key or a sub-key as part of a row key.</summary>
    public static string Encode(string text)
    {
        var length = Encoding.UTF8.GetByteCount(text);
        return string.Create(length, text, static (characters, text) =>
        {
            Span<byte> utf8 = stackalloc byte[PartitionKey.MaxBytes];
            Encoding.UTF8.GetBytes(text, utf8);
            for (var i = 0; i < characters.Length; i++)
                characters[i] = IsPlain(utf8[i]) ? (char)utf8[i] : (char)(FirstIdeograph + utf8[i]);
        });
    }

    /// <summary>The key or sub-key that was encoded.</summary>
    /// <exception cref="FormatException">It is none that <see cref="Encode"/> makes.</exception>
    /// <exception cref="DecoderFallbackException">Its bytes are no UTF-8.</exception>
    public static string Decode(ReadOnlySpan<char> encoded)
    {
        Span<byte> utf8 = stackalloc byte[PartitionKey.MaxBytes];
        if (encoded.Length > utf8.Length)
            throw new FormatException("It is too long.");
        for (var i = 0; i < encoded.Length; i++)
        {
            var unit = encoded[i] < 0x80 ? encoded[i] : encoded[i] - FirstIdeograph;
            if (unit is < 0 or > 0xFF || IsPlain((byte)unit) != encoded[i] < 0x80)
                throw new FormatException("It has a character that no key is encoded with.");
            utf8[i] = (byte)unit;
        }

        return StrictUtf8.GetString(utf8[..encoded.Length]);
    }

    /// <summary>Whether a text is a key as <see cref="Encode"/> makes it.</summary>
    public static bool IsKey(string encoded)
    {
        try
        {
            return encoded.Length > 0 && Decode(encoded).Length > 0;
        }
        catch (Exception error) when (error is FormatException or DecoderFallbackException)
        {
            return false;
        }
    }

    public static string Header(string encodedKey) => encodedKey + Separator;

    /// <summary>The row of a part, or with an empty sub-key what all rows of a generation begin with.</summary>
    public static string Part(string encodedKey, string generation, string encodedSubKey) =>
        string.Concat(encodedKey, "!", string.Concat(generation, "!", encodedSubKey));

    /// <summary>The first row key after all that begin with this one, which ends with the separator.</summary>
    public static string EndOf(string prefix) => string.Concat(prefix.AsSpan(0, prefix.Length - 1), [RangeEnd]);

    public static bool IsPlain(byte ascii) => char.IsAsciiLetterOrDigit((char)ascii) || ascii is (byte)'-' or (byte)'.' or (byte)'_' or (byte)'~';
}

using System.Text;
using Stout.AzureTables.Rows;

namespace Stout.AzureTables.Tests;

public sealed class RowKeysTests
{
    [Fact]
    public void Every_text_comes_back_and_no_two_are_encoded_alike()
    {
        var random = new Random(1);
        var encoded = new Dictionary<string, string>(StringComparer.Ordinal);
        for (var i = 0; i < 20_000; i++)
        {
            var text = RandomText(random);
            var key = RowKeys.Encode(text);
            Assert.Equal(text, System.Text.Encoding.UTF8.GetString(RowKeys.DecodeBytes(key)));
            Assert.Equal(text, encoded.GetValueOrDefault(key, text));
            encoded[key] = text;
        }
    }

    [Fact]
    public void Encoded_key_has_letters_digits_and_four_signs_alone_and_normalization_changes_nothing()
    {
        var everything = string.Concat(Enumerable.Range(0, 0x250).Select(c => (char)c)) + "\u2028\uffff😀";
        foreach (var text in everything.EnumerateRunes().Select(rune => rune.ToString()).Append("e\u0301\u212b"))
        {
            var key = RowKeys.Encode(text);
            Assert.Equal(Encoding.UTF8.GetByteCount(text), key.Length);
            Assert.All(key, c => Assert.True(char.IsAsciiLetterOrDigit(c) || "-._~".Contains(c, StringComparison.Ordinal) || c is >= '\u4e00' and <= '\u4eff'));
        }
    }

    [Fact]
    public void Longest_row_key_fits()
    {
        var row = RowKeys.Part(RowKeys.Encode(new PartitionKey(new string('/', PartitionKey.MaxBytes))), new string('f', 64), RowKeys.Encode(new string('#', SubKey.MaxBytes)));

        Assert.InRange(row.Length, 450, 512);
    }

    [Theory]
    [InlineData("a!")]
    [InlineData("/")]
    [InlineData("\u4e61")]
    [InlineData("\u4f00")]
    public void What_no_key_is_encoded_as_is_told(string encoded) => Assert.Throws<FormatException>(() => RowKeys.DecodeBytes(encoded));

    [Fact]
    public void Range_of_a_key_holds_its_own_rows_and_no_others()
    {
        string[] keys = ["a", "a-", "a.", "ab", "a/", "a\0", "a ", "A", "aa", "a!", "a\"", "é"];
        foreach (var key in keys)
        {
            var (first, end) = (RowKeys.Header(RowKeys.Encode(key)), RowKeys.EndOf(RowKeys.Header(RowKeys.Encode(key))));
            foreach (var other in keys)
            {
                string[] rows = [RowKeys.Header(RowKeys.Encode(other)), RowKeys.Part(RowKeys.Encode(other), new string('f', 64), RowKeys.Encode("~"))];
                Assert.All(rows, row => Assert.Equal(key == other, string.CompareOrdinal(row, first) >= 0 && string.CompareOrdinal(row, end) < 0));
            }
        }
    }

    private static string RandomText(Random random)
    {
        var text = new StringBuilder();
        for (var length = random.Next(1, 30); length > 0; length--)
        {
            var rune = random.Next(4) == 0 ? random.Next(0x10FFFF) : random.Next(0x100);
            if (Rune.IsValid(rune))
                text.Append(new Rune(rune).ToString());
        }

        return text.ToString();
    }
}

using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Stout.Storage;

namespace Stout.Tests.Storage;

/// <summary>Row keys: the rule of keys above 256 bytes, by examples and by properties.</summary>
public sealed class LongKeysTests
{
    private static readonly string[] Points = ["a", "~", "\0", "é", "日", "😀"];

    /// <summary>Keys around the bounds of the rule: few code points, in runs, so that many keys share long prefixes.</summary>
    private static readonly Gen<string> Texts =
        from runs in Gen.Choose(1, 4)
        from texts in Gen.ArrayOf(
            from point in Gen.Elements(Points)
            from count in Gen.OneOf(Gen.Choose(1, 4), Gen.Choose(45, 66), Gen.Choose(185, 195), Gen.Choose(250, 258))
            select string.Concat(Enumerable.Repeat(point, count)),
            runs)
        select string.Concat(texts);

    // Frozen, since stores depend on row keys. The second key's prefix ends before a code point that would be cut.
    [Fact]
    public void The_row_key_of_a_key_never_changes()
    {
        Assert.Equal(
            new string('k', 192) + "~27fed049cf80e0eff71ab837c82a50327b7677ebda22305d3f353f0989488669",
            LongKeys.RowKeyOf(new PartitionKey(new string('k', 1_000))));
        Assert.Equal(
            new string('a', 191) + "~~53c194a87d234abab9e0b943f165df11bb682b9b6f3b32ead4c9edd72220df60",
            LongKeys.RowKeyOf(new PartitionKey(new string('a', 191) + new string('日', 40))));
    }

    [Theory]
    [InlineData("a")]
    [InlineData("é")]
    [InlineData("日")]
    [InlineData("😀")]
    public void Keys_of_up_to_256_bytes_are_their_own_row_keys(string point)
    {
        var text = new string('x', 256 - Encoding.UTF8.GetByteCount(point)) + point;
        Assert.Same(text, LongKeys.RowKeyOf(new PartitionKey(text)));
        Assert.Null(LongKeys.StoredOf(new PartitionKey(text)));

        Assert.Equal(257, Encoding.UTF8.GetByteCount(LongKeys.RowKeyOf(new PartitionKey("x" + text))));
        Assert.Equal("x" + text, Encoding.UTF8.GetString(LongKeys.StoredOf(new PartitionKey("x" + text))!));
    }

    [Fact]
    public void Row_keys_are_as_a_naive_reader_of_the_rule_makes_them() => Check(Texts, text =>
    {
        var key = new PartitionKey(text);
        var bytes = new byte[LongKeys.RowKeyBytes];
        var written = bytes[..LongKeys.WriteRowKey(key, bytes)];
        var rowKey = LongKeys.RowKeyOf(key);
        return rowKey == Naive(text) && written.SequenceEqual(Encoding.UTF8.GetBytes(rowKey)) && LongKeys.IsLong(key) == (rowKey != text);
    });

    [Fact]
    public void Different_keys_have_different_row_keys() =>
        Check(Gen.Two(Texts), pair => pair.Item1 == pair.Item2 || LongKeys.RowKeyOf(new(pair.Item1)) != LongKeys.RowKeyOf(new(pair.Item2)));

    /// <summary>The row key of a long key, used as a key itself, has another row key.</summary>
    [Fact]
    public void Row_key_of_a_long_key_is_the_row_key_of_no_other() => Check(Texts, text =>
    {
        var rowKey = LongKeys.RowKeyOf(new PartitionKey(text));
        return rowKey == text || LongKeys.RowKeyOf(new PartitionKey(rowKey)) != rowKey;
    });

    /// <summary>Keys that differ within the prefix have row keys in the order of their bytes.</summary>
    [Fact]
    public void Row_keys_keep_the_order_of_their_prefixes() => Check(Gen.Two(Texts), pair =>
    {
        var (one, other) = (Prefix(pair.Item1), Prefix(pair.Item2));
        var common = one.AsSpan().CommonPrefixLength(other);
        if (common == one.Length || common == other.Length)
            return true;
        var rows = Utf8(LongKeys.RowKeyOf(new(pair.Item1))).AsSpan().SequenceCompareTo(Utf8(LongKeys.RowKeyOf(new(pair.Item2))));
        return Math.Sign(rows) == Math.Sign(Utf8(pair.Item1).AsSpan().SequenceCompareTo(Utf8(pair.Item2)));

        static byte[] Prefix(string text) => Utf8(LongKeys.IsLong(new(text)) ? LongKeys.RowKeyOf(new(text))[..^64].TrimEnd('~') : text);
    });

    [Fact]
    public void Key_is_read_back_from_its_row_alone() => Check(Gen.Two(Texts), pair =>
    {
        var (key, other) = (new PartitionKey(pair.Item1), new PartitionKey(pair.Item2));
        var (rowKey, stored) = (Utf8(LongKeys.RowKeyOf(key)), LongKeys.StoredOf(key));
        return LongKeys.Read(rowKey, stored) == key
            && LongKeys.Matches(key, stored)
            && (key == other || !LongKeys.IsLong(key) || (!LongKeys.Matches(key, Utf8(other.Text)) && LongKeys.Read(rowKey, Utf8(other.Text)) is null))
            && (!LongKeys.IsLong(key) || LongKeys.Read(rowKey, []) is null);
    });

    [Fact]
    public void Damaged_row_is_no_key()
    {
        var key = new PartitionKey(new string('k', 300));
        var (rowKey, stored) = (Utf8(LongKeys.RowKeyOf(key)), LongKeys.StoredOf(key)!);
        Assert.Null(LongKeys.Read([], []));
        Assert.Null(LongKeys.Read([0xFF], []));
        Assert.Null(LongKeys.Read([.. rowKey, (byte)'0'], stored));
        Assert.Null(LongKeys.Read(rowKey, [.. stored[..^1], 0xFF]));
        Assert.Null(LongKeys.Read(rowKey, new byte[5_000]));
        Assert.Null(LongKeys.Read(rowKey, Utf8("short")));
    }

    /// <summary>Compares pages of any size, for prefixes of the listed keys and of others, with a filtered list.</summary>
    [Fact]
    public void Pages_have_every_key_once_by_any_prefix()
    {
        var cases = from texts in Gen.ArrayOf(Texts, 12) from most in Gen.Choose(1, 5) from prefixOf in Gen.Choose(0, 11) from cut in Gen.Choose(0, 600)
                    select (Texts: texts.Distinct().ToArray(), most, prefixOf, cut);
        Check(cases, one =>
        {
            var prefix = Cut(one.Texts[one.prefixOf % one.Texts.Length], one.cut);
            var rows = one.Texts.Select((text, i) => (new PartitionKey(text), Exists: i % 4 != 3)).ToList();
            var listed = new List<string>();
            string? last = null;
            for (string? continuation = null; ;)
            {
                var page = KeyPage.OfAll(new KeyListing(prefix, one.most, continuation), rows);
                listed.AddRange(page.Keys.Select(key => key.Text));
                if (page.Keys.Count > one.most || (last = page.Continuation) is null)
                    break;
                continuation = last;
            }

            var expected = rows.Where(row => row.Exists && row.Item1.Text.StartsWith(prefix, StringComparison.Ordinal)).Select(row => row.Item1.Text);
            var order = listed.Select(text => Utf8(LongKeys.RowKeyOf(new(text)))).ToList();
            return last is null && expected.Order(StringComparer.Ordinal).SequenceEqual(listed.Order(StringComparer.Ordinal))
                && order.Zip(order.Skip(1)).All(pair => pair.First.AsSpan().SequenceCompareTo(pair.Second) < 0);
        });

        static string Cut(string text, int length) => text[..(length < text.Length && char.IsLowSurrogate(text[length]) ? length - 1 : Math.Min(length, text.Length))];
    }

    [Fact]
    public void Short_keys_cost_no_allocation()
    {
        PartitionKey[] keys = [new("a"), new(new string('x', 256)), new(new string('日', 85))];
        Span<byte> rowKey = stackalloc byte[LongKeys.RowKeyBytes];
        var sum = Use(keys, rowKey);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1_000; i++)
            sum += Use(keys, rowKey);
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        Assert.NotEqual(0, sum);

        static int Use(PartitionKey[] keys, Span<byte> rowKey)
        {
            var sum = 0;
            foreach (var key in keys)
            {
                sum += LongKeys.WriteRowKey(key, rowKey) + LongKeys.RowKeyOf(key).Length + (LongKeys.StoredOf(key) is null ? 1 : 0);
                sum += Slots.Of(key) + (LongKeys.Matches(key, default) ? 1 : 0);
            }

            return sum;
        }
    }

    private static string Naive(string text)
    {
        var utf8 = Utf8(text);
        if (utf8.Length <= 256)
            return text;
        var prefix = "";
        foreach (var rune in text.EnumerateRunes())
        {
            if (Utf8(prefix + rune).Length > 192)
                break;
            prefix += rune;
        }

        return prefix + new string('~', 193 - Utf8(prefix).Length) + Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(utf8));
    }

    private static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    private static void Check<T>(Gen<T> cases, Func<T, bool> holds) => FsCheck.Check.One(Config.QuickThrowOnFailure, Prop.ForAll(cases.ToArbitrary(), holds));
}

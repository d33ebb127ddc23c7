using System.Text;
using static Stout.Testing.StoreClient;

using Stout.Storage;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>Keys that some stores confuse with one another, or misinterpret.</summary>
    protected static IReadOnlyList<string> OddKeys { get; } =
    [
        "key", "Key", "KEY", "key ", "key  ", " key", "key\t", "key\0", "key\0\0", "\0", "\0key", " ", "  ", ".", "..",
        "\u00e9", "e\u0301", "\u212b", "\u00c5", "A\u030a", "\ufb01", "fi", "ß", "ss", "SS", "ı", "i", "I", "İ",
        "a/b", "a\\b", "a#b", "a?b", "a%b", "a%2Fb", "a_b", "a*b", "a'b", "a\"b", "a`b", "a;b--", "a\r\nb", "a\nb", "\u001b[0m", "\u007f", "\u0085",
        "null", "NULL", "true", "1", "01", "1.0", "1e0", "x'00'", "[a]", "{a}", "$a", "@a", ":a", "?1",
        "😀", "👩‍👩‍👧", "\ufeff", "\ufffd", "\uffff", "\u200b", "\u202e", "日本語", "zażółć",
        new('k', PartitionKey.MaxBytes), new('é', PartitionKey.MaxBytes / 2), string.Concat(Enumerable.Repeat("😀", PartitionKey.MaxBytes / 4)),
    ];

    /// <summary>Keys that differ only by collation, trailing blanks or escapes stay different.</summary>
    [Fact]
    public async Task Odd_keys_stay_different_keys()
    {
        var store = await OpenAsync();
        foreach (var key in OddKeys)
            await store.PutAsync(key, Stamp.Absent, parts: [Part("", "value of " + key)]);

        store = await ReopenAsync(store);

        foreach (var key in OddKeys)
            Assert.Equal("=value of " + key, Show(await store.ReadAsync(key)));
        await store.DisposeAsync();
    }

    /// <summary>Sub-keys that differ only by collation, trailing blanks or escapes stay different.</summary>
    [Fact]
    public async Task Odd_sub_keys_stay_different_parts()
    {
        var subKeys = OddKeys.Where(key => Encoding.UTF8.GetByteCount(key) <= SubKey.MaxBytes).Append(new string('s', SubKey.MaxBytes)).ToList();
        var store = await OpenAsync();
        await store.PutAsync("key", Stamp.Absent, parts: [.. subKeys.Select(subKey => Part(subKey, "value of " + subKey))]);

        store = await ReopenAsync(store);

        var read = await store.ReadAsync("key");
        Assert.Equal(
            subKeys.Select(subKey => (subKey, "value of " + subKey)).OrderBy(part => part.subKey, StringComparer.Ordinal),
            read.Parts.OrderBy(part => part.SubKey).Select(part => (part.SubKey.Text, Encoding.UTF8.GetString(part.Value.Span))));
        await store.DisposeAsync();
    }

    /// <summary>Values keep their bytes, without encoding or padding.</summary>
    [Fact]
    public async Task Values_come_back_bit_for_bit()
    {
        await using var store = await OpenAsync();
        var every = Enumerable.Range(0, 256).Select(i => (byte)i).ToArray();
        byte[] large = [.. Enumerable.Repeat(every, 100).SelectMany(x => x)];
        byte[][] values = [every, [0], [0, 0], [0xFF, 0xFE], [.. "'; DROP TABLE"u8], [0xC0, 0x80], new byte[5_000], large];
        await store.PutAsync("key", Stamp.Absent, parts: [Part("", every), .. values.Select((value, i) => Part($"{i}", value))]);

        var read = await store.ReadAsync("key");

        Assert.Equal(every, read.Parts.Single(part => part.SubKey.IsRoot).Value.ToArray());
        for (var i = 0; i < values.Length; i++)
            Assert.Equal(values[i], read.Parts.Single(part => part.SubKey.Text == $"{i}").Value.ToArray());
    }

    /// <summary>Keys, sub-keys and values keep every control character. Empty values are kept, too.</summary>
    [Fact]
    public async Task Control_characters_come_back_as_they_were_and_so_do_values_without_bytes()
    {
        await using var store = await OpenAsync();
        var controls = Enumerable.Range(0, 0xA0).Select(i => (char)i).Where(char.IsControl).ToList();
        foreach (var control in controls)
            await store.PutAsync($"a{control}b", Stamp.Absent, parts: [Part("", ""), Part($"{control}", $"{control}"), Part($"a{control}", "")]);

        foreach (var control in controls)
        {
            var read = await store.ReadAsync($"a{control}b");
            Assert.Equal(
                [("", ""), ($"{control}", $"{control}"), ($"a{control}", "")],
                read.Parts.OrderBy(part => part.SubKey.Text.Length).Select(part => (part.SubKey.Text, Encoding.UTF8.GetString(part.Value.Span))));
        }
    }

    /// <summary>Keys that differ only by collation, trailing blanks or escapes stay different within one request, too.</summary>
    [Fact]
    public async Task Odd_keys_of_one_batch_stay_different_keys()
    {
        await using var store = await OpenAsync();
        foreach (var keys in OddKeys.GroupBy(key => store.PartitionOf(new PartitionKey(key))))
        {
            foreach (var chunk in keys.Chunk(Math.Min(store.Proxy.Limits.MaxBatchKeys, store.Proxy.Limits.MaxBatchParts)))
            {
                var batch = new WriteBatch();
                foreach (var key in chunk)
                    store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", "value of " + key));

                await store.WriteAsync(batch);

                Assert.Equal(chunk.Select(key => "=value of " + key), (await store.ReadAsync(chunk)).Select(Show));
            }
        }
    }
}

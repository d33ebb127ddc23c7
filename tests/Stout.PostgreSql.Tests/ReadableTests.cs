using System.Text;
using Npgsql;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>The rows of the store as psql and Npgsql read them, without Stout.</summary>
public sealed class ReadableTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private readonly TestSchema _schema = new(database);

    [Fact]
    public async Task Person_reads_keys_and_values_with_a_plain_select()
    {
        await using var store = await _schema.OpenAsync();
        await store.PutAsync("it's \"1\"; 100 %", Stamp.Absent, parts: [Part("", "naïve 😀"), Part("§ 1", "text")]);
        await store.PutAsync("nul\0key", Stamp.Absent, parts: [Part("", "v"), Part("\0", [0, 1])]);
        await store.PutAsync("bytes", Stamp.Absent, parts: [Part("", [0xFF, 0x00])]);
        await store.PutAsync("\\x00", Stamp.Absent, parts: [Part("", "")]);
        var stamp = await store.PutAsync("deleted", Stamp.Absent, parts: [Part("", "v"), Part("a", "v")]);
        await store.PutAsync("deleted", stamp, KeyWriteKind.Delete);
        stamp = await store.PutAsync("replaced", Stamp.Absent, parts: [Part("a", "old")]);
        await store.PutAsync("replaced", stamp, KeyWriteKind.Replace, parts: [Part("b", "new")]);

        var rows = await Psql.RunAsync(
            database.ConnectionString, "-c", $"SELECT key, subkey, value FROM {_schema.Quoted}.readable ORDER BY key_bytes, subkey_bytes");

        Assert.Equal(
            """
            \x5c783030||
            bytes||\xff00
            it's "1"; 100 %||naïve 😀
            it's "1"; 100 %|§ 1|text
            \x6e756c006b6579||v
            \x6e756c006b6579|\x00|\x0001
            replaced|b|new

            """.ReplaceLineEndings("\n"),
            rows);
        Assert.Equal("naïve 😀\n", await Psql.RunAsync(
            database.ConnectionString,
            "-c",
            $"SELECT value FROM {_schema.Quoted}.readable WHERE key_bytes = convert_to('it''s \"1\"; 100 %', 'UTF8') AND subkey = ''"));
    }

    [Fact]
    public async Task Long_key_is_shown_whole()
    {
        await using var store = await _schema.OpenAsync();
        var key = new string('k', 300) + "日";
        await store.PutAsync(key, Stamp.Absent, parts: [Part("", "own"), Part("part", "other")]);
        await using var connection = await _schema.ConnectAsync();
        await using var command = new NpgsqlCommand($"SELECT string_agg(subkey || '=' || value, ' ' ORDER BY subkey) FROM {_schema.Quoted}.readable WHERE key = $1", connection);
        command.Parameters.Add(new NpgsqlParameter { Value = key });
        Assert.Equal("=own part=other", await command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Another_client_sees_every_odd_key_and_value_bit_for_bit()
    {
        await using var store = await _schema.OpenAsync();
        var texts = Enumerable.Range(0, 32).Append(0x7F).Concat(Enumerable.Range(0x80, 32)).Select(c => $"a{(char)c}b")
            .Concat(["'", "\"", "''", "\\", "%s", "{}", "e\u0301", "\u00e9", "😀", "👩‍👩‍👧", " ", "\ufeff", new string('k', PartitionKey.MaxBytes)])
            .ToList();
        foreach (var text in texts)
            await store.PutAsync(text, Stamp.Absent, parts: [Part("", text), Part(text[..Math.Min(text.Length, SubKey.MaxBytes)], [])]);

        var seen = new List<(string Key, string SubKey, string Value)>();
        await using var connection = await _schema.ConnectAsync();
        await using var command = new NpgsqlCommand($"SELECT key_bytes, subkey_bytes, value_bytes FROM {_schema.Quoted}.readable", connection);
        await using var row = await command.ExecuteReaderAsync(TestContext.Current.CancellationToken);
        while (await row.ReadAsync(TestContext.Current.CancellationToken))
            seen.Add((Text(0), Text(1), Text(2)));

        var expected = texts.SelectMany(text => new[] { (RowKey(text), "", text), (RowKey(text), text[..Math.Min(text.Length, SubKey.MaxBytes)], "") });
        Assert.Equal(expected.Order(), seen.Order());

        static string RowKey(string text) => LongKeys.RowKeyOf(new PartitionKey(text));

        string Text(int column) => Encoding.UTF8.GetString(row.GetFieldValue<byte[]>(column));
    }
}

using System.Text;
using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.SqlServer.Tests;

/// <summary>A plain SELECT shows the objects that Stout has written, and Stout reads the rows that a person has written by SQL.</summary>
public sealed class ReadableTests : IAsyncDisposable
{
    private readonly ServerSchema _schema = new();

    public ValueTask DisposeAsync() => _schema.DisposeAsync();

    [Fact]
    public async Task View_shows_keys_and_values_as_text_and_as_they_are()
    {
        await using var store = await _schema.OpenAsync();
        await store.PutAsync("doc/1", Stamp.Absent, parts: [Part("", "self"), Part("title", "Grüße 日本 😀"), Part("no text", [0, 0xFF, 0xC3, 0x28, 0x5C])]);
        var gone = await store.PutAsync("a\0b\\'\n", Stamp.Absent, parts: [Part("x\0", "1"), Part("", new byte[5_000])]);
        var deleted = await store.PutAsync("deleted", Stamp.Absent, parts: [Part("", "1"), Part("p", "1")]);
        await store.PutAsync("deleted", deleted, KeyWriteKind.Delete);

        var rows = await _schema.RowsAsync("SELECT [key], subkey, value_text, value FROM [stout].[entry] ORDER BY key_bytes, subkey_bytes");

        Assert.Equal(
            [
                (@"a\u0000b\\'\u000A", "", string.Concat(Enumerable.Repeat(@"\u0000", 1_000))),
                (@"a\u0000b\\'\u000A", @"x\u0000", "1"),
                ("doc/1", "", "self"),
                ("doc/1", "no text", @"\u0000\xFF\xC3(\\"),
                ("doc/1", "title", "Grüße 日本 😀"),
            ],
            rows.Select(row => ((string)row[0], (string)row[1], (string)row[2])));
        Assert.Equal(new byte[5_000], (byte[])rows[0][3]);
        Assert.Equal([0, 0xFF, 0xC3, 0x28, 0x5C], (byte[])rows[3][3]);
        Assert.False(gone.IsAbsent);
    }

    [Fact]
    public async Task Object_that_moves_between_header_and_row_is_there_once()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = Stamp.Absent;
        foreach (var size in (int[])[5_000, 4_096, 4_097, 0, 9_000])
        {
            stamp = await store.PutAsync("key", stamp, parts: [Part("", new byte[size]), Part("a", "1")]);
            var lengths = await _schema.RowsAsync("SELECT CAST(DATALENGTH(value) AS bigint) FROM [stout].[entry] ORDER BY subkey_bytes");
            Assert.Equal([size, 1L], lengths.Select(row => (long)row[0]));
            Assert.Equal(size > 4_096 ? 2 : 1, await _schema.AskAsync<int>("SELECT COUNT(*) FROM [stout].[part]"));
        }
    }

    [Fact]
    public async Task What_a_person_wrote_is_read()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = new Stamp(0, Guid.NewGuid(), 7);
        var bytes = new byte[Stamp.Bytes];
        stamp.Write(bytes);
        var (key, hex) = (Convert.ToHexString(Encoding.UTF8.GetBytes("by hand")) + "01", Convert.ToHexString(bytes));
        await _schema.RowsAsync(
            "INSERT INTO [stout].[header] ([key], epoch, stamp, request, generation, deleted_at, root, has_rows, value) "
            + $"VALUES (0x{key}, 0, 0x{hex}, 0x00, 0x{hex}, NULL, 1, 1, 0x{Convert.ToHexString("self"u8)}); "
            + $"INSERT INTO [stout].[part] ([key], generation, subkey, value) VALUES (0x{key}, 0x{hex}, 0x6101, 0x{Convert.ToHexString("part"u8)})");

        var read = await store.ReadAsync("by hand");

        Assert.Equal((stamp, "=self a=part"), (read.Version, Show(read)));
        await store.PutAsync("by hand", stamp, parts: [Part("a", "Stout's")]);
        Assert.Equal("=self a=Stout's", Show(await store.ReadAsync("by hand")));
    }
}

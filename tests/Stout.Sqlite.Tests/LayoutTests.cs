using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

public sealed class LayoutTests : IDisposable
{
    private const string Parts = "SELECT count(*) FROM part";
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Theory]
    [InlineData(0, RootPlace.Inline)]
    [InlineData(RootPlaces.MaxInlineBytes, RootPlace.Inline)]
    [InlineData(RootPlaces.MaxInlineBytes + 1, RootPlace.Row)]
    public async Task Short_objects_are_in_their_header_and_long_ones_in_a_row(int bytes, object place)
    {
        await using var store = await _file.OpenAsync();

        await store.PutAsync("key", Stamp.Absent, parts: [Part("", new byte[bytes])]);

        Assert.Equal((long)(RootPlace)place, _file.Ask("SELECT root FROM header"));
        Assert.Equal((RootPlace)place == RootPlace.Row ? 1 : 0, _file.Ask(Parts));
    }

    [Fact]
    public async Task Object_that_grows_and_shrinks_moves_to_a_row_and_back_and_leaves_none_behind()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "short"), Part("a", "1")]);
        var longer = new string('x', 10_000);
        for (var i = 0; i < 3; i++)
        {
            stamp = await store.PutAsync("key", stamp, parts: [Part("", longer)]);
            Assert.Equal(2, _file.Ask(Parts));
            Assert.Equal($"={longer} a=1", Show(await store.ReadAsync("key")));

            stamp = await store.PutAsync("key", stamp, parts: [Part("", "short")]);
            Assert.Equal(1, _file.Ask(Parts));
            Assert.Equal("=short a=1", Show(await store.ReadAsync("key")));
        }

        stamp = await store.PutAsync("key", stamp, parts: [Part("", longer)]);
        await store.PutAsync("key", stamp, parts: [NoPart("")]);
        Assert.Equal(1, _file.Ask(Parts));
        Assert.Equal("a=1", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task Row_number_of_another_key_changes_the_named_key_alone()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("a", Stamp.Absent, parts: [Part("", "1")]);
        await store.PutAsync("b", Stamp.Absent, parts: [Part("", "1")]);
        var row = _file.Ask("SELECT rowid FROM header WHERE key = CAST('b' AS BLOB)");
        var batch = new WriteBatch();
        batch.Add(store.NewWrite("a", stamp) with { ExpectedToken = row }, [Part("", "2")]);

        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);

        Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(0).Kind);
        Assert.Equal(["=2", "=1"], (await store.ReadAsync(["a", "b"])).Select(Show));
    }

    [Fact]
    public async Task Token_is_the_number_of_the_key_s_row()
    {
        await using var store = await _file.OpenAsync();
        await store.PutAsync("a", Stamp.Absent, parts: [Part("", "1")]);
        var batch = new WriteBatch();
        batch.Add(store.NewWrite("b", Stamp.Absent), [Part("", "1"), Part("part", "x")]);

        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);

        var row = _file.Ask("SELECT rowid FROM header WHERE key = CAST('b' AS BLOB)");
        Assert.Equal((row, row), (batch.OutcomeOf(0).Token, (await store.ReadAsync("b")).Token));
    }

    [Fact]
    public async Task Write_of_an_object_without_parts_changes_one_row()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        stamp = await store.PutAsync("key", stamp, parts: [Part("", "2")]);

        await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        Assert.Equal((1, 0, 0), (_file.Ask("SELECT count(*) FROM header"), _file.Ask(Parts), _file.Ask("SELECT count(*) FROM garbage")));
    }

    [Fact]
    public async Task Deleting_an_object_with_many_parts_removes_few_of_its_rows()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [.. Enumerable.Range(0, 1_000).Select(i => Part($"{i}", "x"))]);
        long rows = -1;
        _file.AtStep = step => rows = step == "after the commit" && rows < 0 ? _file.Ask(Parts) : rows;

        await store.PutAsync("key", stamp, KeyWriteKind.Delete);

        Assert.Equal(1_000 - Writing.SweepAllowance.DefaultPerTransaction, rows);
        Assert.Equal("(none)", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task Generation_is_the_stamp_of_the_write_that_made_the_first_row()
    {
        await using var store = await _file.OpenAsync();
        var first = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        Assert.Equal(1, _file.Ask($"SELECT count(*) FROM header WHERE generation IS NULL AND stamp = {Literal(first)}"));

        var second = await store.PutAsync("key", first, parts: [Part("a", "2")]);
        var third = await store.PutAsync("key", second, parts: [Part("b", "3"), NoPart("a")]);
        Assert.Equal(1, _file.Ask($"SELECT count(*) FROM header WHERE generation = {Literal(second)} AND stamp = {Literal(third)}"));
        Assert.Equal("=1 b=3", Show(await store.ReadAsync("key")));

        var fourth = await store.PutAsync("key", third, KeyWriteKind.Replace, parts: [Part("", "4")]);
        Assert.Equal(1, _file.Ask($"SELECT count(*) FROM header WHERE generation IS NULL AND stamp = {Literal(fourth)}"));

        var fifth = await store.PutAsync("key", fourth, parts: [Part("a", "5")]);
        Assert.Equal(1, _file.Ask($"SELECT count(*) FROM header WHERE generation = {Literal(fifth)} AND stamp = generation"));
        Assert.Equal("=4 a=5", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task People_read_keys_and_values_from_the_view()
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("doc/1", Stamp.Absent, parts: [Part("", "title"), Part("intro", "hello"), Part("end", "bye")]);
        await store.PutAsync("doc/1", stamp, KeyWriteKind.Replace, parts: [Part("", "title"), Part("intro", "hello again")]);
        stamp = await store.PutAsync("doc/2", Stamp.Absent, parts: [Part("", new string('x', 9_000)), Part("a", "b")]);
        await store.PutAsync("doc/3", Stamp.Absent, parts: [Part("", "gone")]);
        await store.PutAsync("doc/2", stamp, KeyWriteKind.Delete);

        using var file = new RawFile(_file.Path);
        Assert.Equal(3L, file.Rows("SELECT count(*) FROM entry")[0][0]);
        Assert.Equal(1L, file.Rows("SELECT count(*) FROM entry WHERE key = 'doc/1' AND subkey = 'intro' AND CAST(value AS TEXT) = 'hello again'")[0][0]);
    }

    private static string Literal(Stamp stamp)
    {
        var bytes = new byte[Stamp.Bytes];
        stamp.Write(bytes);
        return $"x'{Convert.ToHexString(bytes)}'";
    }
}

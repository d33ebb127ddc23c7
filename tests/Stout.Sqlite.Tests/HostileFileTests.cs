using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>A hostile file, made to run its own SQL or to refer to other files, is refused before any of its tables is read.</summary>
public sealed class HostileFileTests : IDisposable
{
    private const string Trigger = "CREATE TRIGGER planted AFTER UPDATE ON header BEGIN UPDATE header SET value = new.value; END";
    private const string Endless = "WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)";

    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Theory]
    [InlineData(Trigger)]
    [InlineData("CREATE/**/VIRTUAL TABLE planted USING fts5(text)")]
    [InlineData("CREATE VIEW planted AS SELECT randomblob(1000000000)")]
    [InlineData("CREATE TABLE planted (x)")]
    [InlineData("CREATE INDEX planted ON header (abs(root))")]
    [InlineData("CREATE INDEX planted ON part (value) WHERE length(subkey) > 1")]
    [InlineData("CREATE UNIQUE INDEX planted ON garbage (key DESC)")]
    [InlineData("ALTER TABLE header ADD COLUMN more AS (hex(value))")]
    [InlineData("ALTER TABLE part ADD COLUMN more DEFAULT 1")]
    [InlineData("DROP VIEW entry")]
    [InlineData("DROP INDEX deleted_header")]
    [InlineData("DROP TABLE garbage; CREATE TABLE garbage (key BLOB NOT NULL PRIMARY KEY)")]
    [InlineData("DROP TABLE garbage; CREATE TABLE garbage (key BLOB NOT NULL PRIMARY KEY CHECK (randomblob(1000000000) IS NULL)) WITHOUT ROWID")]
    [InlineData("DROP TABLE identity; CREATE VIEW identity AS " + Endless + " SELECT n AS layout, n AS version, n AS set_id, n AS partition, n AS partitions, n AS hash, n AS ready FROM endless WHERE n < 0")]
    [InlineData("DROP TABLE identity; CREATE TABLE identity (layout, version, set_id, partition, partitions, hash, ready)")]
    [InlineData("ANALYZE")]
    public async Task Schema_that_is_another_is_refused(string sql)
    {
        await MakeAsync();
        RawFile.Change(_file.Path, sql);

        await IsRefusedAsync();
    }

    [Theory]
    [InlineData("UPDATE sqlite_schema SET type = 'TRIGGER' WHERE name = 'planted'", Trigger)]
    [InlineData("UPDATE sqlite_schema SET type = 'index' WHERE name = 'planted'", Trigger)]
    [InlineData("UPDATE sqlite_schema SET name = 'entry', tbl_name = 'entry' WHERE name = 'planted'; DELETE FROM sqlite_schema WHERE type = 'view'", Trigger)]
    [InlineData("UPDATE sqlite_schema SET sql = replace(sql, 'WHERE root = 1', 'WHERE root = 2')", "SELECT 1")]
    [InlineData("UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '')", "SELECT 1")]
    [InlineData("INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'entry'", "SELECT 1")]
    [InlineData("UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'header') WHERE name = 'part'", "SELECT 1")]
    public async Task Catalogue_that_was_edited_is_refused(string sql, string before)
    {
        await MakeAsync();
        RawFile.Change(_file.Path, before);
        RawFile.ChangeCatalogue(_file.Path, sql);

        // SQLite itself reports some of these catalogues as malformed, which makes them corrupt.
        Assert.True((await _file.RefusalAsync()).Kind is StoreErrorKind.LayoutMismatch or StoreErrorKind.Corrupt);
    }

    [Fact]
    public async Task Catalogue_of_many_objects_is_refused()
    {
        await MakeAsync();
        RawFile.Change(_file.Path, "BEGIN; " + string.Concat(Enumerable.Range(0, 5_000).Select(i => $"CREATE VIEW planted{i} AS SELECT 1; ")) + "COMMIT");

        await IsRefusedAsync();
    }

    [Theory]
    [InlineData("UPDATE identity SET set_id = x'00'")]
    [InlineData("UPDATE identity SET set_id = 'no bytes at all'")]
    [InlineData("UPDATE identity SET partition = 4294967296")]
    [InlineData("UPDATE identity SET partitions = -1")]
    [InlineData("UPDATE identity SET ready = 'yes'")]
    [InlineData("INSERT INTO identity SELECT * FROM identity")]
    [InlineData("DELETE FROM identity")]
    [InlineData("UPDATE identity SET hash = 'line' || char(10) || 'line'")]
    [InlineData("UPDATE identity SET hash = hex(randomblob(1000000))")]
    public async Task Identity_that_is_none_is_refused_without_being_quoted(string sql)
    {
        await MakeAsync();
        RawFile.Change(_file.Path, sql);

        var refusal = await _file.RefusalAsync();

        Assert.True(refusal.Kind is StoreErrorKind.Corrupt or StoreErrorKind.LayoutMismatch, $"{refusal}");
        Assert.DoesNotContain('\n', refusal.Message);
        Assert.InRange(refusal.Message.Length, 1, 300);
    }

    [Theory]
    [InlineData(Trigger)]
    [InlineData("CREATE TRIGGER planted BEFORE INSERT ON part BEGIN DELETE FROM header; END")]
    public async Task Trigger_that_is_planted_while_the_file_is_open_does_not_fire(string sql)
    {
        await using var store = await _file.OpenAsync();
        var stamp = await store.PutAsync("a", Stamp.Absent, parts: [Part("", "one")]);
        await store.PutAsync("b", Stamp.Absent, parts: [Part("", "two")]);
        RawFile.Change(_file.Path, sql);

        await store.PutAsync("a", stamp, parts: [Part("", "changed"), Part("part", "x")]);

        Assert.Equal(["=changed part=x", "=two"], (await store.ReadAsync(["a", "b"])).Select(Show));
    }

    [Theory]
    [InlineData("docs.db")]
    [InlineData("docs.db-wal")]
    [InlineData("docs.db-shm")]
    [InlineData("docs.db.lock")]
    public async Task Link_in_the_place_of_a_file_is_not_followed(string name)
    {
        await MakeAsync();
        var victim = _file.Directory["victim"];
        await File.WriteAllTextAsync(victim, "mine", TestContext.Current.CancellationToken);
        File.Delete(_file.Directory[name]);
        File.CreateSymbolicLink(_file.Directory[name], victim);

        var refusal = await _file.RefusalAsync();

        Assert.True(refusal.Kind is StoreErrorKind.Refused or StoreErrorKind.LayoutMismatch, $"{refusal}");
        Assert.Equal("mine", await File.ReadAllTextAsync(victim, TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData("docs.db.lock")]
    [InlineData("docs.db.new")]
    [InlineData("docs.db.new-journal")]
    public async Task Link_that_leads_nowhere_makes_no_file_elsewhere(string name)
    {
        var elsewhere = _file.Directory["elsewhere"];
        File.CreateSymbolicLink(_file.Directory[name], elsewhere);

        await using var storage = new SqliteStorage(_file.Options, _file.Time);
        var error = await Record.ExceptionAsync(async () => await storage.OpenAsync(TestContext.Current.CancellationToken));

        Assert.False(File.Exists(elsewhere));
        Assert.Equal(name.EndsWith(".lock", StringComparison.Ordinal), error is StoreException { Kind: StoreErrorKind.Refused });
    }

    private async Task MakeAsync()
    {
        await using var store = await _file.OpenAsync();
        await store.PutAsync("a", Stamp.Absent, parts: [Part("", "one")]);
    }

    private async Task IsRefusedAsync() => Assert.Equal(StoreErrorKind.LayoutMismatch, (await _file.RefusalAsync()).Kind);
}

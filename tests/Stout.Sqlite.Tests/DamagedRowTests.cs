using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Sqlite.Tests;

/// <summary>A row that does not have the layout's form, or that SQLite refuses to change, fails only its own key.</summary>
public sealed class DamagedRowTests : IDisposable
{
    private static readonly string[] Keys = ["a", "bad", "c"];
    private readonly StoreFile _file = new();

    public void Dispose() => _file.Dispose();

    [Theory]
    [InlineData("UPDATE header SET stamp = x'00' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET stamp = 1 WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET generation = x'00' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET stamp = x'FFFFFFFFFFFFFFFF000000000000000000000000000000000000000000000001' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET stamp = x'FFFFFFFFFFFFFFFF000000000000000000000000000000000000000000000001', generation = x'00' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET stamp = zeroblob(32) WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET has_rows = 2 WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET has_rows = 'text' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET deleted_at = 'text' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET deleted_at = -1 WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET deleted_at = 1 WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET root = 0, value = NULL WHERE key = CAST('bad' AS BLOB); UPDATE part SET subkey = x'' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET root = 3 WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET root = -1 WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET root = 2 WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET value = NULL WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET value = 'text' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE part SET value = 7 WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE part SET subkey = x'FF' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE part SET subkey = 'text' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE part SET subkey = zeroblob(129) WHERE key = CAST('bad' AS BLOB)")]
    public async Task Read_of_a_damaged_row_fails_its_key_alone(string damage)
    {
        await using var store = await _file.OpenAsync();
        await PutAllAsync(store);
        Damage(damage);

        var reads = await store.ReadAsync(Keys);

        Assert.Equal(["=root part=x", "=root part=x"], new[] { Show(reads[0]), Show(reads[2]) });
        Assert.Equal((ReadOutcomeKind.Refused, StoreErrorKind.Corrupt), (reads[1].Kind, Assert.IsType<StoreException>(reads[1].Error).Kind));
    }

    [Theory]
    [InlineData("UPDATE header SET stamp = x'00' WHERE key = CAST('bad' AS BLOB)")]
    [InlineData("UPDATE header SET root = 3 WHERE key = CAST('bad' AS BLOB)")]
    public async Task Write_and_claim_of_a_damaged_row_fail_their_key_alone_and_the_file_stays_in_use(string damage)
    {
        await using var store = await _file.OpenAsync();
        var stamps = await PutAllAsync(store);
        Damage(damage);

        var batch = await WriteAllAsync(store, stamps);

        Assert.Equal(
            [WriteOutcomeKind.Committed, WriteOutcomeKind.Refused, WriteOutcomeKind.Committed],
            Enumerable.Range(0, 3).Select(i => batch.OutcomeOf(i).Kind));
        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(batch.OutcomeOf(1).Error).Kind);
        Assert.Equal(
            [ReadOutcomeKind.Read, ReadOutcomeKind.Refused, ReadOutcomeKind.Read],
            (await store.ClaimAsync(Keys)).Select(read => read.Kind));
    }

    [Fact]
    public async Task Claim_that_is_refused_fails_its_key_alone()
    {
        await using var store = await _file.OpenAsync();
        await PutAllAsync(store);
        Damage("CREATE INDEX planted ON header (abs(iif(key = CAST('bad' AS BLOB) AND owner IS NOT NULL, -9223372036854775807 - 1, 0)))");

        var reads = await store.ClaimAsync(Keys);

        Assert.Equal([ReadOutcomeKind.Read, ReadOutcomeKind.Refused, ReadOutcomeKind.Read], reads.Select(read => read.Kind));
        Assert.Equal([1, 1], new[] { reads[0].Owner.Epoch, reads[2].Owner.Epoch });
        Assert.Equal(2, _file.Ask("SELECT count(*) FROM header WHERE hex(owner) LIKE '0000000000000001%'"));
    }

    [Theory]
    [InlineData("header", "stamp")]
    [InlineData("header", "generation")]
    [InlineData("header", "root")]
    [InlineData("header", "has_rows")]
    [InlineData("part", "subkey")]
    [InlineData("part", "value")]
    public async Task Null_in_a_column_that_takes_none_fails_its_key_alone(string table, string column)
    {
        await using var store = await _file.OpenAsync();
        await PutAllAsync(store);
        RawFile.ChangeWithoutConstraints(_file.Path, $"UPDATE {table} SET {column} = NULL WHERE key = CAST('bad' AS BLOB)");

        var reads = await store.ReadAsync(Keys);

        Assert.Equal([ReadOutcomeKind.Read, ReadOutcomeKind.Refused, ReadOutcomeKind.Read], reads.Select(read => read.Kind));
        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(reads[1].Error).Kind);
    }

    [Theory]
    [InlineData("INSERT INTO garbage VALUES ('text')")]
    [InlineData("INSERT INTO garbage VALUES (7)")]
    [InlineData("INSERT INTO garbage VALUES (zeroblob(100000))")]
    [InlineData("UPDATE header SET deleted_at = 'text'")]
    [InlineData("UPDATE header SET deleted_at = 0.5, has_rows = 0")]
    [InlineData("UPDATE header SET deleted_at = 9223372036854775807")]
    [InlineData("UPDATE header SET deleted_at = -9223372036854775807 - 1, has_rows = 0; DELETE FROM part")]
    public async Task Damage_that_the_sweeper_meets_does_not_keep_it_busy(string damage)
    {
        await (await _file.OpenAsync()).DisposeAsync();
        RawFile.ChangeWithoutConstraints(_file.Path, damage);

        await using var store = await _file.OpenAsync();
        await _file.RestAsync(store);
        await _file.RestAsync(store);
    }

    [Fact]
    public async Task Claim_that_another_one_overtakes_before_its_read_is_fenced()
    {
        await using var store = await _file.OpenAsync();
        await PutAllAsync(store);
        _file.AtStep = step =>
        {
            if (step == "before a transaction that reads")
                Damage("UPDATE header SET owner = x'000000000000000900000000000000000000000000000001' WHERE key = CAST('bad' AS BLOB)");
        };

        var reads = await store.ClaimAsync(Keys);

        Assert.Equal([ReadOutcomeKind.Read, ReadOutcomeKind.Fenced, ReadOutcomeKind.Read], reads.Select(read => read.Kind));
        Assert.Equal(9, reads[1].Owner.Epoch);
    }

    [Fact]
    public async Task Rows_of_a_damaged_header_are_left_as_they_are()
    {
        await using var store = await _file.OpenAsync();
        await PutAllAsync(store);
        await store.DisposeAsync();
        Damage("UPDATE header SET generation = x'01' WHERE key = CAST('bad' AS BLOB); INSERT INTO garbage SELECT key FROM header");

        await using var again = await _file.OpenAsync();
        await _file.RestAsync(again);

        Assert.Equal((3, 0), (_file.Ask("SELECT count(*) FROM part"), _file.Ask("SELECT count(*) FROM garbage")));
    }

    private static async Task<Dictionary<string, Stamp>> PutAllAsync(Testing.StoreClient store)
    {
        var stamps = new Dictionary<string, Stamp>();
        foreach (var key in Keys)
            stamps[key] = await store.PutAsync(key, Stamp.Absent, parts: [Part("", "root"), Part("part", "x")]);
        return stamps;
    }

    private static async Task<WriteBatch> WriteAllAsync(Testing.StoreClient store, Dictionary<string, Stamp> stamps)
    {
        var batch = new WriteBatch();
        foreach (var key in Keys)
            batch.Add(store.NewWrite(key, stamps[key]), [Part("other", "y")]);
        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);
        return batch;
    }

    private void Damage(string sql)
    {
        RawFile.Change(_file.Path, sql);
    }
}

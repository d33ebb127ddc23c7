using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>A key that fails does not affect the other keys of its batch, for each reason that the server can have.</summary>
public sealed class OneKeyTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private const int Keys = 20;
    private readonly TestSchema _schema = new(database);

    /// <summary>
    /// Locks that the proxy's look at the header's row does not find. The server waits for such a lock, and then fails the whole transaction.
    /// </summary>
    [Theory]
    [InlineData("SELECT FROM @.part WHERE key = 'key 7' FOR UPDATE", false)]
    [InlineData("INSERT INTO @.header (key, stamp) VALUES ('key 7', 'x')", true)]
    [InlineData("DELETE FROM @.header WHERE key = 'key 7'", false)]
    public async Task Key_behind_a_lock_that_can_not_be_skipped_is_busy_alone(string sql, bool isNew)
    {
        _schema.Options.LockTimeout = TimeSpan.FromMilliseconds(10);
        await using var store = await _schema.OpenAsync();
        var stamps = new Stamp[Keys];
        for (var i = 0; i < Keys && !isNew; i++)
            stamps[i] = await store.PutAsync($"key {i}", Stamp.Absent, parts: [Part("a", "old")]);
        WriteBatch batch;
        await using (await _schema.HoldAsync(sql))
        {
            // In the second round the proxy suspects the key already.
            for (var round = 0; round < 2; round++)
            {
                batch = await UpdateAsync(store, stamps);
                AssertAllBut(7, WriteOutcomeKind.Busy, batch);
                for (var i = 0; i < Keys; i++)
                    stamps[i] = i == 7 ? stamps[i] : batch[i].Next;
            }
        }

        batch = await UpdateAsync(store, stamps);
        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
    }

    /// <summary>A trigger of the database's owner can raise any error, including errors that usually concern the whole server.</summary>
    [Theory]
    [InlineData("40001", WriteOutcomeKind.Busy)]
    [InlineData("40P01", WriteOutcomeKind.Busy)]
    [InlineData("53000", WriteOutcomeKind.Busy)]
    [InlineData("53100", WriteOutcomeKind.Refused)]
    [InlineData("28000", WriteOutcomeKind.Refused)]
    [InlineData("42P01", WriteOutcomeKind.Refused)]
    public async Task Key_that_a_trigger_fails_stops_no_other_key_whatever_the_error(string sqlState, WriteOutcomeKind kind)
    {
        await using var store = await _schema.OpenAsync();
        foreach (var key in (int[])[0, 7, Keys - 1])
        {
            await _schema.ExecuteAsync(
                $"""
                CREATE OR REPLACE FUNCTION @.planted() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN IF NEW.key = '{key} key {key}' THEN RAISE 'planted' USING ERRCODE = '{sqlState}'; END IF; RETURN NEW; END $$;
                CREATE OR REPLACE TRIGGER planted BEFORE INSERT OR UPDATE ON @.header FOR EACH ROW EXECUTE FUNCTION @.planted()
                """);
            var stamps = new Stamp[Keys];
            for (var round = 0; round < 2; round++)
            {
                var batch = await UpdateAsync(store, stamps, prefix: $"{key} ");
                AssertAllBut(key, kind, batch);
                for (var i = 0; i < Keys; i++)
                    stamps[i] = i == key ? stamps[i] : batch[i].Next;
            }
        }

        await _schema.ExecuteAsync("DROP TRIGGER planted ON @.header");
        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(store.NewWrite("7 key 7", Stamp.Absent), Part("a", "x"))).Kind);
    }

    /// <summary>A constraint of the database's owner limits the length of values. A value over the limit fails alone, until it is smaller.</summary>
    [Fact]
    public async Task Value_over_a_limit_of_the_server_fails_alone_until_it_is_smaller()
    {
        await using var store = await _schema.OpenAsync();
        await _schema.ExecuteAsync("ALTER TABLE @.part ADD CHECK (octet_length(value) < 10)");
        var stamps = new Stamp[Keys];
        var batch = await UpdateAsync(store, stamps, i => i == 7 ? "longer than that" : "x");
        AssertAllBut(7, WriteOutcomeKind.Refused, batch);
        for (var i = 0; i < Keys; i++)
            stamps[i] = i == 7 ? stamps[i] : batch[i].Next;

        batch = await UpdateAsync(store, stamps, _ => "y");

        Assert.All(Enumerable.Range(0, Keys), i => Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
    }

    [Fact]
    public async Task Each_of_several_refused_keys_is_found()
    {
        await using var store = await _schema.OpenAsync();
        await _schema.ExecuteAsync("ALTER TABLE @.part ADD CHECK (octet_length(value) < 10)");
        var random = new Random(1);
        for (var round = 0; round < 5; round++)
        {
            var refused = Enumerable.Range(0, Keys).Where(_ => random.Next(3) == 0).ToHashSet();
            var batch = await UpdateAsync(store, new Stamp[Keys], i => refused.Contains(i) ? "longer than that" : "x", $"{round} ");
            Assert.Equal(refused.Order(), Enumerable.Range(0, Keys).Where(i => batch.OutcomeOf(i).Kind == WriteOutcomeKind.Refused));
            Assert.Equal(Keys - refused.Count, Enumerable.Range(0, Keys).Count(i => batch.OutcomeOf(i).Kind == WriteOutcomeKind.Committed));
        }
    }

    [Theory]
    [InlineData("ALTER TABLE @.header RENAME TO gone", StoreErrorKind.LayoutMismatch)]
    [InlineData("DROP SCHEMA @ CASCADE", StoreErrorKind.LayoutMismatch)]
    public async Task What_stops_every_key_is_told_as_the_stores(string sql, StoreErrorKind kind)
    {
        await using var store = await _schema.OpenAsync();
        await store.PutAsync("key", Stamp.Absent);
        await _schema.ExecuteAsync(sql);

        var write = await store.WriteAsync(store.NewWrite("other", Stamp.Absent));
        var read = await store.ReadAsync("key");

        Assert.All([write.Error, read.Error], error => Assert.Equal(
            (kind, StoreErrorScope.Partition), (Assert.IsType<StoreException>(error).Kind, ((StoreException)error).Scope)));
    }

    [Theory]
    [InlineData("UPDATE @.part SET subkey = '\\xff' WHERE key = 'key 7'")]
    [InlineData("UPDATE @.part SET subkey = convert_to(repeat('x', 200), 'UTF8') WHERE key = 'key 7'")]
    [InlineData("UPDATE @.header SET stamp = '' WHERE key = 'key 7'")]
    [InlineData("UPDATE @.header SET stamp = '\\xFFFFFFFFFFFFFFFF000000000000000000000000000000000000000000000001' WHERE key = 'key 7'")]
    [InlineData("UPDATE @.header SET stamp = decode(repeat('00', 32), 'hex') WHERE key = 'key 7'")]
    [InlineData("UPDATE @.header SET generation = 'x' WHERE key = 'key 7'")]
    [InlineData("UPDATE @.header SET deleted_at = now() WHERE key = 'key 7'")]
    [InlineData("UPDATE @.part SET subkey = '' WHERE key = 'key 7'")]
    [InlineData("ALTER TABLE @.header ALTER stamp DROP NOT NULL; UPDATE @.header SET stamp = NULL WHERE key = 'key 7'")]
    [InlineData("ALTER TABLE @.part ALTER value DROP NOT NULL; UPDATE @.part SET value = NULL WHERE key = 'key 7'")]
    public async Task Key_whose_rows_can_not_be_decoded_fails_alone(string sql)
    {
        await using var store = await _schema.OpenAsync();
        for (var i = 0; i < Keys; i++)
            await store.PutAsync($"key {i}", Stamp.Absent, parts: [Part("a", "old")]);
        await _schema.ExecuteAsync(sql);

        var reads = await store.ReadAsync([.. Enumerable.Range(0, Keys).Select(i => $"key {i}")]);

        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(reads[7].Error).Kind);
        Assert.All(reads.Where((_, i) => i != 7), read => Assert.Equal("a=old", Show(read)));

        // A claim does not repair the header either, since its stamp may be a newer owner's.
        reads = await store.ClaimAsync([.. Enumerable.Range(0, Keys).Select(i => $"key {i}")]);
        Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(reads[7].Error).Kind);
        Assert.All(reads.Where((_, i) => i != 7), read => Assert.Equal("a=old", Show(read)));
    }

    /// <summary>A row that the server itself can't read, as on a damaged page, or that raises an error that usually concerns the whole server.</summary>
    [Theory]
    [InlineData("XX001", StoreErrorKind.Corrupt)]
    [InlineData("40001", StoreErrorKind.Busy)]
    [InlineData("53100", StoreErrorKind.Full)]
    public async Task Key_that_the_server_can_not_read_fails_alone_each_time(string sqlState, StoreErrorKind kind)
    {
        await using var store = await _schema.OpenAsync();
        for (var i = 0; i < Keys; i++)
            await store.PutAsync($"key {i}", Stamp.Absent, parts: [Part("a", "old")]);
        await _schema.ExecuteAsync(
            $"""
            CREATE FUNCTION @.read_value(key bytea, value bytea) RETURNS bytea LANGUAGE plpgsql STABLE AS $$
            BEGIN IF key = 'key 7' THEN RAISE 'missing chunk' USING ERRCODE = '{sqlState}'; END IF; RETURN value; END $$;
            ALTER TABLE @.part RENAME TO part_rows;
            CREATE VIEW @.part AS SELECT key, generation, subkey, @.read_value(key, value) AS value FROM @.part_rows
            """);
        for (var round = 0; round < 2; round++)
        {
            var reads = await store.ReadAsync([.. Enumerable.Range(0, Keys).Select(i => $"key {i}")]);

            Assert.Equal(kind, Assert.IsType<StoreException>(reads[7].Error).Kind);
            Assert.All(reads.Where((_, i) => i != 7), read => Assert.Equal("a=old", Show(read)));
        }
    }

    private static async Task<WriteBatch> UpdateAsync(StoreClient store, Stamp[] stamps, Func<int, string>? value = null, string prefix = "")
    {
        var batch = new WriteBatch();
        for (var i = 0; i < Keys; i++)
            store.Add(batch, store.NewWrite($"{prefix}key {i}", stamps[i]), Part("a", value?.Invoke(i) ?? "new"));
        await store.WriteAsync(batch);
        return batch;
    }

    private static void AssertAllBut(int index, WriteOutcomeKind kind, WriteBatch batch) => Assert.Equal(
        Enumerable.Range(0, Keys).Select(i => i == index ? kind : WriteOutcomeKind.Committed),
        Enumerable.Range(0, Keys).Select(i => batch.OutcomeOf(i).Kind));
}

using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>The requests of a batch to the server, and the batch's outcomes.</summary>
public sealed class CommitTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private readonly TestSchema _schema = new(database);

    [Fact]
    public async Task Batch_is_one_round_trip_whatever_it_holds()
    {
        await using var network = _schema.Intercept();
        await using var store = await _schema.OpenAsync();
        var stamps = new List<Stamp>();
        for (var i = 0; i < 3; i++)
            stamps.Add(await store.PutAsync($"key {i}", Stamp.Absent, parts: [Part("", "x"), Part("a", "x")]));
        await store.ClaimAsync("key 0");
        var (requests, isAnswering) = (0, true);
        network.OnRequest = _ =>
        {
            requests += isAnswering ? 1 : 0;
            isAnswering = false;
            return TcpProxy.Verdict.Pass;
        };
        network.OnAnswer = _ =>
        {
            isAnswering = true;
            return TcpProxy.Verdict.Pass;
        };
        var batch = new WriteBatch();
        store.Add(batch, store.NewWrite("key 0", stamps[0]), Part("", "late"));
        store.Add(batch, store.NewWrite("key 1", stamps[1], KeyWriteKind.Replace), Part("b", new byte[100_000]));
        store.Add(batch, store.NewWrite("key 2", stamps[2], KeyWriteKind.Delete));
        for (var i = 3; i < 500; i++)
            store.Add(batch, store.NewWrite($"key {i}", Stamp.Absent), Part("", $"{i}"), Part("part", $"{i}"), NoPart("other"));

        await store.WriteAsync(batch);

        Assert.Equal(1, requests);
        Assert.Equal(WriteOutcomeKind.Fenced, batch.OutcomeOf(0).Kind);
        Assert.All(Enumerable.Range(1, 499), i => Assert.Equal(WriteOutcomeKind.Committed, batch.OutcomeOf(i).Kind));
        await store.ClaimAsync([.. Enumerable.Range(0, 500).Select(i => $"key {i}")]);
        Assert.Equal(2, requests);
    }

    [Fact]
    public async Task Object_without_parts_is_one_row()
    {
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", new byte[100_000])]);
        await store.PutAsync("key", stamp, parts: [Part("", "x")]);

        Assert.Equal((1, 0, 0), (await _schema.CountAsync("header"), await _schema.CountAsync("part"), await _schema.CountAsync("garbage")));
    }

    [Theory]
    [InlineData("off", "on")]
    [InlineData("local", "on")]
    [InlineData("remote_apply", "remote_apply")]
    public async Task Commit_waits_for_the_disk_whatever_the_default_of_the_database(string setting, string expected)
    {
        await (await _schema.OpenAsync()).DisposeAsync();
        await _schema.ExecuteAsync(
            """
            CREATE TABLE @.seen (setting text);
            CREATE FUNCTION @.see() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN EXECUTE format('INSERT INTO %I.seen VALUES (current_setting(''synchronous_commit''))', TG_TABLE_SCHEMA); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER see AFTER INSERT OR UPDATE ON @.header DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION @.see()
            """);
        await _schema.ExecuteAsync($"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = {setting}', current_database()); END $$");
        try
        {
            await using var store = await _schema.OpenAsync();
            await store.PutAsync("key", Stamp.Absent);
            await store.ClaimAsync("key");
        }
        finally
        {
            await _schema.ExecuteAsync("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET synchronous_commit', current_database()); END $$");
        }

        Assert.Equal((2, expected), (await _schema.CountAsync("seen"), await _schema.ExecuteAsync("SELECT string_agg(DISTINCT setting, ', ') FROM @.seen")));
    }

    [Fact]
    public async Task Batches_that_share_keys_in_any_order_never_meet_in_a_deadlock()
    {
        _schema.Options.LockTimeout = TimeSpan.FromMinutes(1);
        await using var first = await _schema.OpenAsync();
        await using var second = await _schema.OpenAsync();
        var outcomes = await Task.WhenAll(Enumerable.Range(0, 8).Select(async writer =>
        {
            var (store, random, seen) = (writer % 2 == 0 ? first : second, new Random(writer), new List<WriteOutcome>());
            for (var round = 0; round < 25; round++)
            {
                var keys = Enumerable.Range(0, 40).Select(i => $"key {i}").OrderBy(_ => random.Next()).Take(20).ToList();
                var stored = await store.ReadAsync(keys);
                var batch = new WriteBatch();
                for (var i = 0; i < keys.Count; i++)
                    store.Add(batch, store.NewWrite(keys[i], stored[i].Version, round % 5 == 4 ? KeyWriteKind.Replace : KeyWriteKind.Merge), Part("", "x"), Part("a", "x"));
                await store.WriteAsync(batch);
                seen.AddRange(Enumerable.Range(0, batch.Count).Select(batch.OutcomeOf));
            }

            return seen;
        }));

        Assert.DoesNotContain(outcomes.SelectMany(x => x), outcome => outcome.Kind is not (WriteOutcomeKind.Committed or WriteOutcomeKind.Conflict or WriteOutcomeKind.Busy));
    }

    [Fact]
    public async Task Of_many_that_create_a_key_at_once_one_succeeds_and_each_is_told_the_truth()
    {
        await using var store = await _schema.OpenAsync();
        for (var round = 0; round < 10; round++)
        {
            var key = $"key {round}";
            var writes = Enumerable.Range(0, 12).Select(_ => store.NewWrite(key, Stamp.Absent)).ToList();

            // Each write is sent twice at the same time, as by a repetition that may overtake the original.
            var outcomes = await Task.WhenAll(writes.Concat(writes).Select(write => store.WriteAsync(write, Part("", $"{write.Next.Sequence}"))));

            var stored = await store.ReadAsync(key);
            for (var i = 0; i < outcomes.Length; i++)
                Assert.Equal(writes[i % 12].Next == stored.Version ? WriteOutcomeKind.Committed : WriteOutcomeKind.Conflict, outcomes[i].Kind);
        }
    }
}

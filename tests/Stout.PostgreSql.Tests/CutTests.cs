using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>Connections that are cut between a commit and its answer.</summary>
public sealed class CutTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private readonly TestSchema _schema = new(database);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Write_whose_answer_is_lost_is_unknown_and_its_repetition_tells(bool isApplied)
    {
        await using var network = _schema.Intercept();
        await using var store = await _schema.OpenAsync();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "old")]);
        if (isApplied)
            network.OnAnswer = _ => TcpProxy.Verdict.Cut;
        else
            network.OnRequest = _ => TcpProxy.Verdict.Cut;
        var write = store.NewWrite("key", stamp);

        var outcome = await store.WriteAsync(write, Part("", "new"));

        Assert.Equal(WriteOutcomeKind.Unknown, outcome.Kind);
        Assert.Equal(isApplied ? "new" : "old", await _schema.ExecuteAsync("SELECT value FROM @.readable"));
        network.OnAnswer = network.OnRequest = _ => TcpProxy.Verdict.Pass;
        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write, Part("", "new"))).Kind);
        Assert.Equal((write.Next, "=new"), ((await store.ReadAsync("key")).Version, Show(await store.ReadAsync("key"))));
    }

    [Fact]
    public async Task Connections_cut_at_random_cause_no_double_effect_and_lose_no_acknowledgement()
    {
        await (await _schema.OpenAsync()).DisposeAsync();
        await _schema.ExecuteAsync(
            """
            CREATE TABLE @.seen (number bigserial PRIMARY KEY, key bytea, stamp bytea, value bytea);
            CREATE FUNCTION @.see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                EXECUTE format('INSERT INTO %I.seen (key, stamp, value) VALUES ($1, $2, $3)', TG_TABLE_SCHEMA) USING NEW.key, NEW.stamp, NEW.value; RETURN NULL;
            END $$;
            CREATE TRIGGER see AFTER INSERT OR UPDATE ON @.header FOR EACH ROW EXECUTE FUNCTION @.see()
            """);
        var direct = _schema.Options;
        await using var network = _schema.Intercept();
        var (random, cuts) = (new Random(1), 0);
        await using (var service = await CountingService.OpenAsync(new PostgreSqlStorage(_schema.Options)))
        {
            network.OnRequest = _ => Judge(30);
            network.OnAnswer = _ => Judge(15);
            using var stop = new CancellationTokenSource();
            var counting = service.CountAsync(32, stop.Token);
            await service.AcknowledgedAsync(3_000);
            network.OnAnswer = network.OnRequest = _ => TcpProxy.Verdict.Pass;
            await stop.CancelAsync();
            await counting;
            await service.VerifyAsync(new PostgreSqlStorage(direct));
        }

        Assert.InRange(cuts, 10, int.MaxValue);

        // A stamp always names the same bytes, and a key never goes back to an earlier number.
        Assert.Equal(0L, await _schema.ExecuteAsync("SELECT count(*) FROM (SELECT stamp FROM @.seen GROUP BY key, stamp HAVING count(DISTINCT value) > 1) s"));
        Assert.Equal(0L, await _schema.ExecuteAsync(
            "SELECT count(*) FROM (SELECT value, lag(value) OVER (PARTITION BY key ORDER BY number) AS earlier FROM @.seen) s WHERE value < earlier"));

        TcpProxy.Verdict Judge(int oneIn)
        {
            lock (random)
            {
                if (random.Next(oneIn) != 0)
                    return TcpProxy.Verdict.Pass;
                cuts++;
                return TcpProxy.Verdict.Cut;
            }
        }
    }

    [Fact]
    public async Task Unknown_outcome_that_can_not_be_resolved_is_reported_as_unknown()
    {
        await using var network = _schema.Intercept();
        var application = new CountingService();
        await using var client = await StoutClient.OpenAsync(
            new PostgreSqlStorage(_schema.Options),
            application,
            new StoutOptions { ResolveUnknownFor = TimeSpan.FromMilliseconds(200), UnreachableTimeout = TimeSpan.FromMilliseconds(200) },
            cancellationToken: TestContext.Current.CancellationToken);
        var handle = await client.FillAsync(new PartitionKey("key"), cancellationToken: TestContext.Current.CancellationToken);
        handle.MarkDirty();
        await handle.WhenSafeAsync(TestContext.Current.CancellationToken);
        network.OnAnswer = _ => TcpProxy.Verdict.Cut;

        handle.MarkDirty();

        await Assert.ThrowsAsync<OutcomeUnknownException>(async () => await handle.WhenSafeAsync(TestContext.Current.CancellationToken));
    }
}

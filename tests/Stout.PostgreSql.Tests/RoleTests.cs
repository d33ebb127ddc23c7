using Microsoft.Extensions.Time.Testing;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>Roles that lack a permission.</summary>
public sealed class RoleTests(SharedServer server)
{
    private const string Grants =
        "GRANT USAGE ON SCHEMA stout TO @; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA stout TO @";

    [Fact]
    public async Task Role_without_the_right_to_delete_commits_every_write_and_costs_one_failing_request_in_a_pause()
    {
        const int Writes = 400;
        await using var database = await KeptDatabase.CreateAsync(server.ConnectionString);
        await (await database.OpenAsync()).DisposeAsync();
        var role = await database.CreateRoleAsync(Grants);
        var time = new FakeTimeProvider();
        await using var store = await StoreClient.OpenAsync(new PostgreSqlStorage(database.Options with { ConnectionStrings = [role] }, time));
        var job = Assert.Single(store.BackgroundJobs);

        // Each write ends a generation. More than 256 of them are more than a write leaves behind without waiting for a sweep.
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "0")]);
        for (var i = 1; i <= Writes; i++)
            stamp = await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("a", $"{i}")]);

        Assert.Equal($"a={Writes}", Show(await store.ReadAsync("key")));
        Assert.Equal((1L, StoreErrorKind.Refused), (job.Failures, job.Failure?.Kind));
        Assert.Equal((long)Writes, await database.AskAsync("SELECT count(*) FROM stout.garbage"));

        await database.AskAsync("GRANT DELETE ON ALL TABLES IN SCHEMA stout TO " + new Npgsql.NpgsqlConnectionStringBuilder(role).Username);
        while (job.Failure is not null)
        {
            time.Advance(TimeSpan.FromMinutes(1));
            await database.AskAsync("SELECT pg_sleep(0.01)");
        }

        Assert.Equal(0L, await database.AskAsync("SELECT count(*) FROM stout.garbage"));
    }
}

using System.Diagnostics;
using Npgsql;
using Stout.PostgreSql.Setup;
using Stout.Storage;
using Stout.Testing;
using Stout.Tests.Shared;

namespace Stout.PostgreSql.Tests;

/// <summary>Stores of earlier layouts, kept as dumps in the folder Layouts.</summary>
public sealed class FormerLayoutTests(SharedServer server)
{
    [Theory]
    [InlineData(3)]
    public async Task Store_of_an_earlier_layout_shows_its_contents_and_takes_writes_and_claims(int version)
    {
        await using var database = await KeptDatabase.RestoreAsync(server.ConnectionString, version);

        await using (var store = await database.OpenAsync())
            await LayoutContents.CheckAsync(store);

        await using var again = await database.OpenAsync();
        Assert.Equal(IdentityTable.Version, await database.AskAsync("SELECT version FROM stout.identity"));
    }

    [Fact]
    public async Task Clients_that_start_at_once_change_the_layout_once_while_a_client_of_the_former_version_writes()
    {
        await using var database = await KeptDatabase.RestoreAsync(server.ConnectionString, 3);
        await database.AskAsync("CREATE PUBLICATION everything FOR ALL TABLES");
        List<Task<StoreClient>> opening;
        await using (await HeldRows.HoldAsync(database.ConnectionString, "SELECT FROM stout.claim_keys(ARRAY['new'::bytea], ARRAY[gen_random_uuid()], ARRAY[1::bigint], NULL, NULL, NULL)"))
        {
            // The transaction holds the epoch floor, so all clients wait for its end.
            opening = [.. Enumerable.Range(0, 6).Select(_ => database.OpenAsync())];
            await using (var connection = new NpgsqlConnection(database.ConnectionString))
            {
                await connection.OpenAsync(TestContext.Current.CancellationToken);
                await TestSchema.UntilAsync(connection, "(SELECT count(*) = 6 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')");
            }

            Assert.Equal(3, await database.AskAsync("SELECT version FROM stout.identity"));
        }

        foreach (var client in await Task.WhenAll(opening))
            await client.DisposeAsync();
        await using var store = await database.OpenAsync();
        await LayoutContents.CheckAsync(store);
        Assert.Equal(4, await database.AskAsync("SELECT version FROM stout.identity"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Client_that_may_not_change_the_layout_is_refused_with_the_command_to_run(bool mayCreate)
    {
        await using var database = await KeptDatabase.RestoreAsync(server.ConnectionString, 3);
        var role = await database.CreateRoleAsync("GRANT USAGE ON SCHEMA stout TO @; GRANT ALL ON ALL TABLES IN SCHEMA stout TO @");
        var options = database.Options with { CreateMissing = mayCreate, ConnectionStrings = [mayCreate ? role : database.ConnectionString] };

        var refusal = await Assert.ThrowsAsync<StoreException>(() => database.OpenAsync(options));

        Assert.Equal(StoreErrorKind.LayoutMismatch, refusal.Kind);
        Assert.Contains("psql -v ON_ERROR_STOP=1 -v schema=stout --single-transaction -f deploy/schemas/postgresql/schema.sql", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(3, await database.AskAsync("SELECT version FROM stout.identity"));

        await Psql.RunAsync(database.ConnectionString, "-v", "schema=stout", "--single-transaction", "-f", Psql.SchemaFile);
        await using var store = await database.OpenAsync(options);
        await LayoutContents.CheckAsync(store);
    }

    [Fact]
    public async Task Owner_of_the_tables_changes_the_layout_without_the_right_to_create_schemas()
    {
        await using var database = await KeptDatabase.CreateAsync(server.ConnectionString);
        var role = await database.CreateRoleAsync("");
        var login = new NpgsqlConnectionStringBuilder(role);
        await database.AskAsync($"GRANT CREATE ON DATABASE {login.Database} TO {login.Username}");
        var dump = (await File.ReadAllTextAsync(KeptDatabase.FileOf(3), TestContext.Current.CancellationToken)).Split('\n').Where(static line => !line.StartsWith('\\'));
        await TestDatabases.ExecuteOnAsync(role, string.Join('\n', dump));
        await database.AskAsync($"REVOKE CREATE ON DATABASE {login.Database} FROM {login.Username}");

        await using var store = await database.OpenAsync(database.Options with { ConnectionStrings = [role] });

        await LayoutContents.CheckAsync(store);
    }

    /// <summary>Makes the dump of today's layout, for a person to keep before a change of it.</summary>
    [Fact(Explicit = true)]
    public async Task Make_the_dump_of_todays_layout()
    {
        await using var database = await KeptDatabase.CreateAsync(server.ConnectionString);
        await using (var store = await database.OpenAsync())
            await LayoutContents.FillAsync(store);

        var settings = new NpgsqlConnectionStringBuilder(database.ConnectionString);
        var start = new ProcessStartInfo("pg_dump") { Environment = { ["PGPASSWORD"] = settings.Password } };
        foreach (var argument in (string[])
            ["-h", settings.Host!, "-p", $"{settings.Port}", "-U", settings.Username!, "-n", "stout", "--inserts", "-O", "-x", "-f", KeptDatabase.FileOf(IdentityTable.Version), settings.Database!])
        {
            start.ArgumentList.Add(argument);
        }

        using var dump = Process.Start(start)!;
        await dump.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(0, dump.ExitCode);
    }
}

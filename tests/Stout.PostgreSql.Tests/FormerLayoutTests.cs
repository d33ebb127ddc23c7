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

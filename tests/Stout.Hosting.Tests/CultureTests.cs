using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Sqlite;

namespace Stout.Hosting.Tests;

/// <summary>Settings, values and texts mean the same under every culture.</summary>
public sealed class CultureTests
{
    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Cultures.Names), MemberType = typeof(Cultures))]
    public Task Settings_and_values_mean_the_same(string culture) => Cultures.UnderAsync(culture, async () =>
    {
        var directory = Directory.CreateTempSubdirectory("stout-culture-").FullName;
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout().UseSqlite().AddCollection<Note>("notes");
                services.AddHealthChecks().AddStout();
            },
            settings:
            [
                ("Stout:Sqlite:Path", Path.Combine(directory, "docs.db")), ("Stout:Sqlite:Partitions", "12"), ("Stout:UnreachableTimeout", "00:00:01.5"),
                ("Stout:Sqlite:MaxDatabaseBytes", "1048576"), ("Stout:Sqlite:FileMode", "UserRead, UserWrite, GroupRead"),
            ]);
        await host.StartAsync(Test);
        Assert.Equal(1.5, host.Services.GetRequiredService<IOptionsMonitor<DocumentStoreOptions>>().Get("").Stout.UnreachableTimeout.TotalSeconds);
        Assert.Equal(1 << 20, host.Services.GetRequiredService<IOptionsMonitor<SqliteOptions>>().Get("").MaxDatabaseBytes);
        var notes = host.Services.GetRequiredService<DocumentCollection<Note>>();
        var note = new Note(-1.5, -2.25m, new DateTimeOffset(1998, 4, 30, 21, 30, 0, TimeSpan.FromHours(-2)), "İi");

        await notes.UpdateAsync("i", _ => note, Test);

        Assert.Equal(note, await notes.GetAsync("i", Test));
        var health = (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Test)).Entries["stout"];
        Assert.Equal("The oldest undurable change is 0 s old; 0 store requests in a row were not answered.", health.Description);
        Assert.True(File.Exists(Path.Combine(directory, "docs.11.db")));
        await host.StopAsync(Test);
        Directory.Delete(directory, recursive: true);
    });

    internal sealed record Note(double Number, decimal Price, DateTimeOffset At, string Text);
}

using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Stout.AzureTables;
using Stout.Cosmos;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.PostgreSql;
using Stout.Sqlite;
using Stout.SqlServer;

namespace Stout.Hosting.Tests;

/// <summary>A setting that can't have an effect causes an error with its name. Other settings override defaults in code.</summary>
public sealed class SettingsTests
{
    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("Stout:MaxDirtyKey", "5", "there is no such option")]
    [InlineData("Stout:Sqlite:Pth", "a.db", "there is no such option")]
    [InlineData("Stout:Sqllite:Path", "a.db", "there is no such option")]
    [InlineData("Stout:Sql:Path", "a.db", "there is no such option")]
    [InlineData("Stout:PostgreSql:Schema", "a", "there is no such option")]
    [InlineData("Stout:Diagnostics:Nme", "a", "there is no such option")]
    [InlineData("Stout:Pacing:Laww", "Delay", "there is no such option")]
    [InlineData("Stout:Pacing:Paper:Betta", "1", "there is no such option")]
    [InlineData("Stout:Documents:MaxCachedByte", "1", "there is no such option")]
    [InlineData("Stout:Health:Degraded", "1", "there is no such option")]
    [InlineData("Stout:orders:MaxDirtyKeys", "1", "there is no such option")]
    [InlineData("Stout:MaxDirtyKeys:Max", "1", "it has one value, and no settings below it")]
    [InlineData("Stout:Sqlite", "a.db", "it is a section")]
    [InlineData("Stout:CallbackFailed", "a", "it can be set in code alone")]
    [InlineData("Stout:Diagnostics:LoggerFactory:Some", "a", "it can be set in code alone")]
    [InlineData("Stout:MaxDirtyKeys", "many", "it must be a number in the range of its type")]
    [InlineData("Stout:MaxDirtyKeys", "4000000000", "it must be a number in the range of its type")]
    [InlineData("Stout:UnreachableTimeout", "30 s", "it must be a time, such as 00:00:30")]
    [InlineData("Stout:OverloadBehavior", "Waits", "it must be one of Wait, Fail")]
    public async Task Setting_without_an_effect_stops_the_start_by_name(string setting, string value, string allowed)
    {
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout().UseSqlite(NeverMade.Path);
                services.AddHealthChecks().AddStout();
            },
            settings: (setting, value));
        var error = await Assert.ThrowsAsync<InvalidOptionException>(() => host.StartAsync(Test));

        // An unknown section is named as a whole, without its settings.
        Assert.StartsWith(error.Option, setting, StringComparison.Ordinal);
        Assert.Equal(allowed, error.Allowed);
        Assert.False(File.Exists(NeverMade.Path));
    }

    [Fact]
    public async Task Section_of_a_list_without_an_index_is_refused()
    {
        using var host = TestHost.Build(services => services.AddStout().UsePostgreSql(), settings: ("Stout:PostgreSql:ConnectionStrings", "Host=a"));
        var error = await Assert.ThrowsAsync<InvalidOptionException>(() => host.StartAsync(Test));
        Assert.Equal("it is a list, and its first element is Stout:PostgreSql:ConnectionStrings:0", error.Allowed);
    }

    [Fact]
    public async Task Sections_of_other_Stouts_of_their_health_and_of_the_application_are_no_mistake()
    {
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout().UseInMemory().IgnoreSettings("Mine", "Other");
                services.AddStout("orders").UseInMemory();
                services.AddHealthChecks().AddStout().AddStout("orders");
            },
            settings:
            [
                ("Stout", "/an/environment/variable/named/STOUT"), ("Stout:Store", "InMemory"), ("stout:mine", "1"), ("Stout:Other:Some", "1"), ("Stout:MaxDirtyKeys", "7"), ("Stout:Health:DegradedFailures", "2"),
                ("Stout:orders:MaxDirtyKeys", "8"), ("Stout:orders:Store", "a"), ("Stout:orders:Health:DegradedFailures", "2"), ("Stout:Documents:MaxCachedObjects", "9"),
            ]);
        await host.StartAsync(Test);
        var options = host.Services.GetRequiredService<IOptionsMonitor<DocumentStoreOptions>>();
        Assert.Equal((7, 8, 9), (options.CurrentValue.Stout.MaxDirtyKeys, options.Get("orders").Stout.MaxDirtyKeys, options.CurrentValue.MaxCachedObjects));
        await host.StopAsync(Test);
    }

    [Fact]
    public void Place_in_the_configuration_beats_the_one_in_code()
    {
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout("sqlite").UseSqlite("code.db");
                services.AddStout("postgres").UsePostgreSql("Host=code");
                services.AddStout("sqlserver").UseSqlServer("Server=code");
                services.AddStout("tables").UseAzureTables("UseDevelopmentStorage=true");
                services.AddStout("cosmos").UseCosmos("AccountEndpoint=https://code;AccountKey=YQ==");
                services.AddStout("default").UseSqlite("code.db");
            },
            settings:
            [
                ("Stout:sqlite:Sqlite:Path", "settings.db"), ("Stout:postgres:PostgreSql:ConnectionStrings:0", "Host=settings"),
                ("Stout:sqlserver:SqlServer:ConnectionStrings:0", "Server=settings"), ("Stout:tables:AzureTables:Accounts:0", "AccountName=settings;AccountKey=YQ=="),
                ("Stout:cosmos:Cosmos:Containers:0:ConnectionString", "AccountEndpoint=https://settings;AccountKey=YQ=="),
            ]);
        Assert.Equal("settings.db", Of<SqliteOptions>("sqlite").Path);
        Assert.Equal(["Host=settings"], Of<PostgreSqlOptions>("postgres").ConnectionStrings);
        Assert.Equal(["Server=settings"], Of<SqlServerOptions>("sqlserver").ConnectionStrings);
        Assert.Equal(["AccountName=settings;AccountKey=YQ=="], Of<AzureTablesOptions>("tables").Accounts);
        Assert.Equal("AccountEndpoint=https://settings;AccountKey=YQ==", Assert.Single(Of<CosmosOptions>("cosmos").Containers).ConnectionString);
        Assert.Equal("code.db", Of<SqliteOptions>("default").Path);

        T Of<T>(string name) => host.Services.GetRequiredService<IOptionsMonitor<T>>().Get(name);
    }

    [Fact]
    public void Connection_string_by_name_stands_in_any_place_of_the_options()
    {
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout().UsePostgreSql();
                services.AddStout("cosmos").UseCosmos();
            },
            settings:
            [
                ("ConnectionStrings:first", "Host=a"), ("ConnectionStrings:second", "AccountEndpoint=https://b;AccountKey=YQ=="),
                ("Stout:PostgreSql:ConnectionStrings:0", "Name=first"), ("Stout:cosmos:Cosmos:Containers:0:ConnectionString", "name=second"),
            ]);
        Assert.Equal(["Host=a"], host.Services.GetRequiredService<IOptionsMonitor<PostgreSqlOptions>>().CurrentValue.ConnectionStrings);
        Assert.Equal("AccountEndpoint=https://b;AccountKey=YQ==", Assert.Single(host.Services.GetRequiredService<IOptionsMonitor<CosmosOptions>>().Get("cosmos").Containers).ConnectionString);
    }

    [Theory]
    [InlineData("sqlite", "The option Stout:Sqlite:Path is invalid: it has to be the path of a file.")]
    [InlineData("postgres", "The option Stout:PostgreSql:ConnectionStrings:0 is invalid: it has to be a connection string that names a host.")]
    [InlineData("sqlserver", "The option Stout:SqlServer:ConnectionStrings:0 is invalid: it has to be a connection string that names a server.")]
    [InlineData("tables", "The option Stout:AzureTables:Accounts:0 is invalid: it has to be a connection string, or the address of a table service.")]
    [InlineData("cosmos", "The option Stout:Cosmos:Containers:0:ConnectionString is invalid: it or Endpoint has to be set, and not both.")]
    public async Task Store_without_a_place_says_which_setting_to_set(string store, string message)
    {
        using var host = TestHost.Build(services => _ = store switch
        {
            "sqlite" => services.AddStout().UseSqlite(),
            "postgres" => services.AddStout().UsePostgreSql(),
            "sqlserver" => services.AddStout().UseSqlServer(),
            "tables" => services.AddStout().UseAzureTables(),
            _ => services.AddStout().UseCosmos(),
        });
        Assert.Equal(message, (await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync(Test))).Message);
    }
}

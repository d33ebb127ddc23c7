using System.Reflection;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Stout.AzureTables;
using Stout.Cosmos;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Pacing;
using Stout.PostgreSql;
using Stout.Sqlite;
using Stout.SqlServer;

namespace Stout.Hosting.Tests.Secrets;

/// <summary>
/// A secret may be in any setting, also by mistake. It must not appear in an error of the start, in a log line, in a health answer or in ToString.
/// </summary>
public sealed class SecretsTests : IDisposable
{
    /// <summary>The text that tests search for. As base64 it can be an account's key too.</summary>
    private const string Secret = "S3cr3tMarkerThatNobodyMaySee";

    /// <summary>A connection string that a person may paste into any setting.</summary>
    private const string ConnectionString = $"Server=127.0.0.1,1;Host=127.0.0.1;Port=1;User Id=me;Password={Secret};Timeout=1";

    private static readonly Dictionary<string, (Type Options, Action<StoutBuilder> Use, (string, string)[] Settings)> Stores = new()
    {
        ["Sqlite"] = (typeof(SqliteOptions), static stout => stout.UseSqlite(), [("Sqlite:Path", $"/dev/null/{Secret}/a.db")]),
        ["PostgreSql"] = (typeof(PostgreSqlOptions), static stout => stout.UsePostgreSql(), [("PostgreSql:ConnectionStrings:0", $"Host=127.0.0.1;Port=1;Username=me;Password={Secret};SSL Mode=Disable")]),
        ["SqlServer"] = (typeof(SqlServerOptions), static stout => stout.UseSqlServer(), [("SqlServer:ConnectionStrings:0", $"Server=127.0.0.1,1;User Id=me;Password={Secret};Connect Timeout=1")]),
        ["AzureTables"] = (typeof(AzureTablesOptions), static stout => stout.UseAzureTables(), [("AzureTables:Accounts:0", $"https://127.0.0.1:1/?sv=1&sig={Secret}")]),
        ["Cosmos"] = (typeof(CosmosOptions), static stout => stout.UseCosmos(), [("Cosmos:Containers:0:ConnectionString", $"AccountEndpoint=https://127.0.0.1:1/;AccountKey={Secret}"), ("Cosmos:Calls:Timeout", "00:00:00.1")]),
    };

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-secrets-");

    public static TheoryData<string> Names => [.. Stores.Keys];

    private static CancellationToken Test => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _folder.Delete(recursive: true);

        // The test with the connection string as the path of a database creates these files.
        foreach (var file in Directory.EnumerateFiles(Environment.CurrentDirectory, "Server=*"))
            File.Delete(file);
    }

    [Theory]
    [InlineData("no database at all, and longer than an empty file would be")]
    [InlineData("")]
    public async Task Secret_in_the_name_of_a_file_that_is_refused_is_not_shown(string content)
    {
        var path = Path.Combine(_folder.FullName, Secret + ".db");
        await File.WriteAllTextAsync(path, content, Test);
        Assert.Null(await ShownAsync("Sqlite", [("Stout:Sqlite:Path", path)]));
        File.Delete(path);
        await File.WriteAllTextAsync(path + "-wal", content, Test);
        Assert.Null(await ShownAsync("Sqlite", [("Stout:Sqlite:Path", path)]));
        File.Delete(path + "-wal");
        File.CreateSymbolicLink(path + ".lock2", path);
        File.Delete(path + ".lock");
        File.CreateSymbolicLink(path + ".lock", path + ".lock2");
        Assert.Null(await ShownAsync("Sqlite", [("Stout:Sqlite:Path", path)]));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Secret_in_its_own_setting_is_not_shown_when_the_store_is_down(string store) =>
        Assert.Null(await ShownAsync(store, []));

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Secret_in_any_setting_of_a_store_is_not_shown(string store)
    {
        var paths = SettingPaths.Of(Stores[store].Options, "Stout:" + store).Append($"Stout:{store}:ConnectionString").ToList();
        Assert.InRange(paths.Count, 8, 100);
        foreach (var path in paths)
            Assert.Null(await ShownAsync(store, [(path, ConnectionString)]));
    }

    [Theory]
    [InlineData("Name=orders")]
    [InlineData($"Name=orders;Password={Secret}")]
    public async Task Secret_beside_or_in_the_name_of_a_connection_string_is_not_shown(string setting) =>
        Assert.Null(await ShownAsync("PostgreSql", [("ConnectionStrings:other", ConnectionString), ("Stout:PostgreSql:ConnectionStrings:0", setting)]));

    [Fact]
    public async Task Secret_in_any_setting_of_the_Stout_itself_is_not_shown()
    {
        List<string> paths =
        [
            "Stout", "Stout:ConnectionString", "Stout:Store", "Stout:Other", "Stout:Other:Setting",
            .. SettingPaths.Of(typeof(StoutOptions), "Stout"),
            .. SettingPaths.Of(typeof(DocumentStoreOptions), "Stout:Documents"),
            .. SettingPaths.Of(typeof(StoutHealthOptions), "Stout:Health"),
            "Stout:Pacing:Law", "Stout:Pacing:Other",
            .. SettingPaths.Of(typeof(DelayLawParameters), "Stout:Pacing:Delay"),
            .. SettingPaths.Of(typeof(PaperLawParameters), "Stout:Pacing:Paper"),
            .. SettingPaths.Of(typeof(WindowLawParameters), "Stout:Pacing:Window"),
        ];
        foreach (var path in paths)
            Assert.Null(await ShownAsync("Sqlite", [(path, ConnectionString)]));
    }

    /// <summary>Fills every text of all options of all packages with a secret.</summary>
    [Fact]
    public void No_options_show_a_secret_by_ToString()
    {
        Assembly[] packages =
        [
            typeof(StoutOptions).Assembly, typeof(SqliteOptions).Assembly, typeof(PostgreSqlOptions).Assembly, typeof(SqlServerOptions).Assembly,
            typeof(AzureTablesOptions).Assembly, typeof(CosmosOptions).Assembly, typeof(Stout.Testing.FaultyStoreOptions).Assembly,
        ];
        var types = packages.SelectMany(static package => package.GetExportedTypes())
            .Where(static type => type.Name.EndsWith("Options", StringComparison.Ordinal) || type.Name.EndsWith("Parameters", StringComparison.Ordinal) || type == typeof(Stout.Diagnostics.StoutDiagnostics))
            .ToList();
        Assert.InRange(types.Count, 18, 100);
        Assert.All(types, static type => Assert.DoesNotContain(Secret, Filled(type).ToString(), StringComparison.Ordinal));
    }

    private static object Filled(Type type)
    {
        var options = Activator.CreateInstance(type)!;
        foreach (var property in type.GetProperties().Where(static property => property.SetMethod is { IsPublic: true }))
        {
            if (property.PropertyType == typeof(string))
                property.SetValue(options, Secret);
            else if (property.PropertyType == typeof(IList<string>))
                property.SetValue(options, new[] { Secret });
        }

        return options;
    }

    /// <summary>Starts a host with settings.</summary>
    /// <returns>The output that shows the secret, or null.</returns>
    private static async Task<string?> ShownAsync(string store, (string Path, string Value)[] settings)
    {
        var log = new EveryLog();
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection(
            [.. Stores[store].Settings.Select(static setting => KeyValuePair.Create("Stout:" + setting.Item1, (string?)setting.Item2)), new("Stout:WaitAtStart", "00:00:00")]);
        builder.Configuration.AddInMemoryCollection(settings.Select(static setting => KeyValuePair.Create(setting.Path, (string?)setting.Value)));
        builder.Logging.AddProvider(log).SetMinimumLevel(LogLevel.Trace);
        var stout = builder.Services.AddStout();
        Stores[store].Use(stout);
        builder.Services.AddHealthChecks().AddStout();
        using var host = builder.Build();
        var texts = new List<string>();
        try
        {
            await host.StartAsync(Test);
            await host.StopAsync(Test);
        }
        catch (Exception error)
        {
            texts.Add(error.ToString());
        }

        try
        {
            var health = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Test);
            texts.AddRange(health.Entries.Select(static entry => $"{entry.Value.Description} {entry.Value.Exception} {string.Join(" ", entry.Value.Data)}"));
        }
        catch (Exception error)
        {
            texts.Add(error.ToString());
        }

        return texts.Concat(log.Lines).FirstOrDefault(static text => text.Contains(Secret, StringComparison.Ordinal));
    }

    private sealed class EveryLog : ILoggerProvider, ILogger
    {
        private readonly System.Collections.Concurrent.ConcurrentQueue<string> _lines = new();

        public IEnumerable<string> Lines => _lines;

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            _lines.Enqueue($"{formatter(state, exception)} {exception}");

        public void Dispose()
        {
        }
    }
}

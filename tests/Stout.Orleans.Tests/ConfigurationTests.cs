using System.Collections.Concurrent;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Hosting;
using Orleans.Providers;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Orleans.Storage;
using Stout.Orleans.Tests.Grains;
using Stout.Tests;

namespace Stout.Orleans.Tests;

/// <summary>Providers from code and from configuration, and mistakes in both.</summary>
public sealed class ConfigurationTests
{
    [Fact]
    public async Task Providers_come_from_configuration_with_a_store_each()
    {
        var folder = Directory.CreateTempSubdirectory("stout-orleans-");
        try
        {
            await using (var cluster = await StartAsync(new()
            {
                ["Orleans:GrainStorage:fast:ProviderType"] = "Stout",
                ["Orleans:GrainStorage:fast:Store"] = "InMemory",
                ["Orleans:GrainStorage:fast:ImportFrom"] = "Default",
                ["Orleans:GrainStorage:fast:FenceImported"] = "false",
                ["Orleans:GrainStorage:Default:ProviderType"] = "Stout",
                ["Orleans:GrainStorage:Default:Store"] = "Sqlite",
                ["Orleans:GrainStorage:Default:DeleteStateOnClear"] = "true",
                ["Orleans:GrainStorage:Default:Ownership"] = "none",
                ["Stout:Default:Sqlite:Path"] = Path.Combine(folder.FullName, "grains.db"),
            }))
            {
                Assert.Equal(1, await cluster.Client.GetGrain<ICounterGrain>("a").AddAsync(1));
                var state = new GrainState<TestState>(new TestState());
                await cluster.StorageOf("fast").WriteStateAsync("state", GrainId.Create("a", "b"), state);
                var former = new GrainState<TestState>(new TestState { Number = 3 });
                await cluster.StorageOf("Default").WriteStateAsync("state", GrainId.Create("a", "c"), former);
                await cluster.StorageOf("fast").ReadStateAsync("state", GrainId.Create("a", "c"), state);
                Assert.Equal(3, state.State!.Number);
                await cluster.StorageOf("Default").WriteStateAsync("state", GrainId.Create("a", "c"), former);
            }

            Assert.True(File.Exists(Path.Combine(folder.FullName, "grains.db")));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Theory]
    [InlineData("Store", "Sqlit", "must be one of InMemory, Sqlite")]
    [InlineData("Store", null, "must be one of InMemory, Sqlite")]
    [InlineData("Store", "Cosmos", "add Stout.Cosmos")]
    [InlineData("Owner", "x", "Orleans:GrainStorage:g:Owner is unknown")]
    [InlineData("Ownership", "Lease", "must be Claim or None")]
    [InlineData("DeleteStateOnClear", "perhaps", "must be true or false")]
    [InlineData("FenceImported", "perhaps", "must be true or false")]
    public void Wrong_settings_are_named(string setting, string? value, string told)
    {
        var settings = new Dictionary<string, string?>
        {
            ["Orleans:GrainStorage:g:ProviderType"] = "Stout",
            ["Orleans:GrainStorage:g:Store"] = "InMemory",
            [$"Orleans:GrainStorage:g:{setting}"] = value,
        };
        var error = Assert.ThrowsAny<Exception>(() =>
        {
            using var host = Build(silo => { }, settings);
            host.Services.GetRequiredKeyedService<IGrainStorage>("g");
        });
        Assert.Contains(told, error.GetBaseException().Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Providers_of_the_configuration_share_a_store()
    {
        await using var cluster = await StartAsync(new()
        {
            ["Orleans:GrainStorage:Default:ProviderType"] = "Stout",
            ["Orleans:GrainStorage:Default:Store"] = "InMemory",
            ["Orleans:GrainStorage:fast:ProviderType"] = "Stout",
            ["Orleans:GrainStorage:fast:SharedWith"] = "Default",
            ["Orleans:GrainStorage:fast:KeyPrefix"] = "fast",
        });
        await cluster.StorageOf("fast").WriteStateAsync("state", GrainId.Create("a", "b"), new GrainState<TestState>(new TestState()));
        List<string> keys = [];
        await foreach (var key in cluster.ClientOf("Default").ListKeysAsync("", TestContext.Current.CancellationToken))
            keys.Add(key.Text);
        Assert.Equal([$"/fast/{cluster.Options.ServiceId}/state/a/b"], keys);
    }

    [Theory]
    [InlineData("Orleans:GrainStorage:g:Store", "InMemory", "Orleans:GrainStorage:g:Store has no effect beside SharedWith")]
    [InlineData("Orleans:GrainStorage:g:ConnectionString", "Host=a", "Orleans:GrainStorage:g:ConnectionString has no effect beside SharedWith")]
    [InlineData("Stout:g:MaxDirtyKeys", "5", "The section Stout:g has no effect")]
    [InlineData("Orleans:GrainStorage:g:SharedWith", "g", "can't share its own store")]
    [InlineData("Orleans:GrainStorage:Default:SharedWith", "other", "no Stout grain storage with a store of its own")]
    public async Task Settings_of_a_store_that_is_not_the_providers_own_are_refused(string setting, string value, string told)
    {
        var error = await Assert.ThrowsAnyAsync<Exception>(async () =>
        {
            using var host = Build(static silo => silo.AddStoutGrainStorage("other", static stout => stout.UseInMemory()), new()
            {
                ["Orleans:GrainStorage:Default:ProviderType"] = "Stout",
                [setting.StartsWith("Orleans:GrainStorage:Default", StringComparison.Ordinal) ? "unused" : "Orleans:GrainStorage:Default:Store"] = "InMemory",
                ["Orleans:GrainStorage:g:ProviderType"] = "Stout",
                ["Orleans:GrainStorage:g:SharedWith"] = "Default",
                [setting] = value,
            });
            await host.StartAsync(TestContext.Current.CancellationToken);
        });
        Assert.Contains(told, error.GetBaseException().Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_providers_of_one_name_are_refused()
    {
        var error = Assert.ThrowsAny<InvalidOperationException>(() => Build(static silo =>
        {
            silo.AddStoutGrainStorage("twice", static stout => stout.UseInMemory());
            silo.AddStoutGrainStorage("twice", static stout => stout.UseInMemory());
        }));
        Assert.Contains("'twice'", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Of_two_storages_with_one_name_the_later_registration_is_used_and_a_warning_names_both(bool stoutIsLater)
    {
        var logs = new Warnings();
        using var host = Build(silo =>
        {
            silo.Services.AddLogging(logging => logging.AddProvider(logs));
            if (stoutIsLater)
                silo.AddMemoryGrainStorage("both");
            silo.AddStoutGrainStorage("both", static stout => stout.UseInMemory());
            if (!stoutIsLater)
                silo.AddMemoryGrainStorage("both");
        });
        await host.StartAsync(TestContext.Current.CancellationToken);
        Assert.Equal(stoutIsLater, host.Services.GetRequiredKeyedService<IGrainStorage>("both") is StoutGrainStorage);
        var (stout, memory) = ("Orleans.Hosting.StoutGrainStorageServiceCollectionExtensions", "Orleans.Storage.MemoryGrainStorage");
        Assert.Contains(
            $"Grain storage both is registered several times. The last registration is used: {(stoutIsLater ? stout : memory)}. Not used: {(stoutIsLater ? memory : stout)}.",
            logs.Texts);
        await host.StopAsync(TestContext.Current.CancellationToken);
    }

    [Theory]
    [InlineData("Orleans:GrainStorage:Default:ConnectionName", "grains")]
    [InlineData("Orleans:GrainStorage:Default:ServiceKey", "grains")]
    [InlineData("Orleans:GrainStorage:Default:ConnectionString", null)]
    [InlineData("Stout:Default:Sqlite:Path", "Name=grains")]
    public async Task A_provider_has_its_connection_string_by_name_or_as_it_is(string setting, string? name)
    {
        var folder = Directory.CreateTempSubdirectory("stout-orleans-");
        try
        {
            var file = Path.Combine(folder.FullName, "grains.db");
            await using (var cluster = await StartAsync(new()
            {
                ["Orleans:GrainStorage:Default:ProviderType"] = "Stout",
                ["Orleans:GrainStorage:Default:Store"] = "Sqlite",
                [setting] = name ?? $"Data Source={file};Cache=Shared",
                ["ConnectionStrings:grains"] = $"Data Source={file}",
            }))
            {
                Assert.Equal(1, await cluster.Client.GetGrain<ICounterGrain>("a").AddAsync(1));
            }

            Assert.True(File.Exists(file));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task A_setting_of_a_store_that_names_a_missing_connection_string_is_told_with_that_name()
    {
        using var host = Build(static silo => silo.AddStoutGrainStorageAsDefault(static stout => stout.UsePostgreSql()), new()
        {
            ["Stout:Default:PostgreSql:ConnectionStrings:0"] = "Name=grains",
        });
        var error = await Assert.ThrowsAsync<InvalidOptionException>(() => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Equal(
            ("Stout:Default:PostgreSql:ConnectionStrings:0", "it names the connection string 'grains', so the setting ConnectionStrings:grains has to be set"),
            (error.Option, error.Allowed));
    }

    [Theory]
    [InlineData("ConnectionName")]
    [InlineData("ServiceKey")]
    public void A_connection_string_that_is_missing_is_named_with_its_place(string setting)
    {
        var error = Assert.ThrowsAny<Exception>(() => Build(silo => { }, new()
        {
            ["Orleans:GrainStorage:g:ProviderType"] = "Stout",
            ["Orleans:GrainStorage:g:Store"] = "Sqlite",
            [$"Orleans:GrainStorage:g:{setting}"] = "grains",
        }));
        Assert.Equal(
            $"The setting Orleans:GrainStorage:g:{setting} names the connection string 'grains', but the setting ConnectionStrings:grains is missing.",
            error.GetBaseException().Message);
    }

    [Fact]
    public async Task A_provider_without_a_store_is_refused_when_the_silo_starts()
    {
        using var host = Build(static silo => silo.AddStoutGrainStorage("bare", static _ => { }));
        var error = await Assert.ThrowsAnyAsync<Exception>(() => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Contains("'bare' has no store", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_are_checked_when_the_silo_starts()
    {
        using var host = Build(static silo => silo.AddStoutGrainStorageAsDefault(
            static stout => stout.UseInMemory(), static (StoutGrainStorageOptions options) => options.Ownership = (GrainOwnership)7));
        var error = await Assert.ThrowsAnyAsync<OrleansConfigurationException>(() => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Contains("Ownership", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_that_change_after_the_provider_was_made_have_no_effect()
    {
        using var host = Build(static silo => silo.AddStoutGrainStorage("kept", static stout => stout.UseInMemory()));
        var options = host.Services.GetRequiredService<IOptionsMonitor<StoutGrainStorageOptions>>().Get("kept");

        var provider = host.Services.GetRequiredKeyedService<IGrainStorage>("kept");

        Assert.Empty(KeptOptions.KeptBy(provider, options));
        Assert.Empty(KeptOptions.Differences(options, KeptOptions.CopyOf(options)));
    }

    [Theory]
    [InlineData("nowhere", "there is no grain storage 'nowhere'")]
    [InlineData("a", "the grain storage 'a' would import from itself")]
    [InlineData("b", "the grain storage 'a' would import from itself")]
    public async Task An_import_from_a_missing_storage_or_from_itself_is_refused_when_the_silo_starts(string from, string told)
    {
        using var host = Build(silo =>
        {
            silo.AddStoutGrainStorage("a", static stout => stout.UseInMemory(), (StoutGrainStorageOptions options) => options.ImportFrom = from);
            silo.AddStoutGrainStorage("b", static stout => stout.UseInMemory(), static (StoutGrainStorageOptions options) => options.ImportFrom = "a");
        });
        var error = await Assert.ThrowsAnyAsync<OrleansConfigurationException>(() => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Contains($"ImportFrom of the Stout grain storage 'a' is invalid: {told}", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, 0, "TimeShare", "it must be above 0 and below 1")]
    [InlineData(1, 0, "TimeShare", "it must be above 0 and below 1")]
    [InlineData(double.NaN, 0, "TimeShare", "it must be above 0 and below 1")]
    [InlineData(0.5, 2, "Grains", "it must be one of WithStoutState, Application")]
    public async Task Options_of_the_hand_over_out_of_range_are_refused_when_the_silo_starts(double share, int grains, string option, string told)
    {
        using var host = Build(silo => silo.AddStoutHandOver().AddStoutHandOver(options => (options.TimeShare, options.Grains) = (share, (HandOverGrains)grains)));
        var error = await Assert.ThrowsAnyAsync<OrleansConfigurationException>(() => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Contains($"The option {option} of the Stout hand-over is invalid: {told}", error.Message, StringComparison.Ordinal);
    }

    /// <summary>Keeps the texts of warnings.</summary>
    private sealed class Warnings : ILoggerProvider, ILogger
    {
        public ConcurrentQueue<string> Texts { get; } = new();

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel == LogLevel.Warning;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (IsEnabled(logLevel))
                Texts.Enqueue(formatter(state, exception));
        }

        public void Dispose()
        {
        }
    }

    private static IHost Build(Action<ISiloBuilder> configure, Dictionary<string, string?>? settings = null)
    {
        var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        builder.Configuration.AddInMemoryCollection(settings);
        builder.UseOrleans(silo =>
        {
            silo.UseLocalhostClustering();
            configure(silo);
        });
        return builder.Build();
    }

    private static async Task<InProcessTestCluster> StartAsync(Dictionary<string, string?> settings)
    {
        var builder = new InProcessTestClusterBuilder(1);
        builder.Options.ConfigureFileLogging = false;
        builder.ConfigureSiloHost((_, host) => host.Configuration.AddInMemoryCollection(settings));
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }
}

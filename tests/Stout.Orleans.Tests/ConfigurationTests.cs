using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Orleans.Hosting;
using Orleans.Providers;
using Orleans.Storage;
using Orleans.TestingHost;
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
    public async Task A_storage_of_another_kind_with_the_same_name_is_refused_when_the_silo_starts(bool isFirst)
    {
        using var host = Build(silo =>
        {
            if (isFirst)
                silo.AddMemoryGrainStorage("both");
            silo.AddStoutGrainStorage("both", static stout => stout.UseInMemory());
            if (!isFirst)
                silo.AddMemoryGrainStorage("both");
        });
        var error = await Assert.ThrowsAnyAsync<OrleansConfigurationException>(() => host.StartAsync(TestContext.Current.CancellationToken));
        Assert.Equal(
            "There are several grain storages of the name 'both', one of them on Stout. Give each a name of its own; ImportFrom names the former one.", error.Message);
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

using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;

namespace Stout.Orleans.Tests;

/// <summary>A cluster in this process.</summary>
internal static class TestCluster
{
    /// <summary>Starts silos.</summary>
    /// <param name="silos">The number of silos.</param>
    /// <param name="configure">Configures each silo.</param>
    /// <param name="serviceId">The service id; null for one that no other cluster has.</param>
    public static async Task<InProcessTestCluster> StartAsync(short silos, Action<ISiloBuilder> configure, string? serviceId = null)
    {
        var builder = new InProcessTestClusterBuilder(silos);
        builder.Options.ConfigureFileLogging = false;
        builder.Options.ServiceId = serviceId ?? builder.Options.ServiceId;
        builder.ConfigureSilo((_, silo) => configure(silo));
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }

    /// <summary>A provider of one silo, by default the first. The test calls it from outside of any grain.</summary>
    public static IGrainStorage StorageOf(this InProcessTestCluster cluster, string name, int silo = 0) =>
        cluster.Silos[silo].ServiceProvider.GetRequiredKeyedService<IGrainStorage>(name);

    /// <summary>The Stout client of a provider.</summary>
    public static StoutClient ClientOf(this InProcessTestCluster cluster, string name, int silo = 0) =>
        cluster.Silos[silo].ServiceProvider.GetRequiredKeyedService<StoutClient>(name);
}

using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Placement;
using Orleans.Metadata;
using Orleans.Runtime;
using Orleans.Runtime.GrainDirectory;
using Orleans.Runtime.Placement.Filtering;
using Stout;
using Stout.Orleans;
using Stout.Orleans.HandOver;
using Stout.Orleans.Hosting;
using Stout.Orleans.Storage;

namespace Orleans.Hosting;

/// <summary>Adds the hand-over to a silo.</summary>
public static class StoutHandOverSiloBuilderExtensions
{
    /// <summary>
    /// Has the silo hand its grains over to other silos when it stops gracefully. No silo with this option places a grain on a stopping silo. Then the grains
    /// migrate with their states, so that their next activations neither claim nor read them.
    /// </summary>
    /// <remarks>
    /// A grain whose last writes are not durable, or that no other silo accepts, stops as without a hand-over. So do grains whose calls run longer than the
    /// hand-over.
    /// </remarks>
    /// <param name="builder">The silo's builder.</param>
    /// <param name="configure">Sets options.</param>
    /// <exception cref="ArgumentException">The function is asynchronous.</exception>
    public static ISiloBuilder AddStoutHandOver(this ISiloBuilder builder, Action<StoutHandOverOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        SynchronousFunction.Require(configure, nameof(configure));
        if (configure is not null)
            builder.Services.Configure(configure);
        return builder.Services.Any(static service => service.ServiceType == typeof(Cordon)) ? builder : builder.ConfigureServices(Add);
    }

    private static void Add(IServiceCollection services)
    {
        services.AddSingleton<Cordon>();
        services.AddGrainService<CordonService>();
        services.AddSingleton<CordonClient>();
        services.AddPlacementFilter<StoutCordonFilter, CordonDirector>(ServiceLifetime.Singleton);
        // The filter is added on the placing silo, and not to the manifest: silos without the filter could not place grains that ask for it.
        services.AddSingleton(static provider => new PlacementFilterStrategyResolver(
            provider, new GrainPropertiesResolver(new CordonedManifest(provider, provider.GetRequiredService<IClusterManifestProvider>()))));
        services.PostConfigure<GrainDirectoryOptions>(static options =>
        {
            if (options.CachingStrategy == GrainDirectoryOptions.CachingStrategyType.LRU)
                options.CachingStrategy = GrainDirectoryOptions.CachingStrategyType.Custom;
        });
        services.TryAddTransient<IGrainDirectoryCache>(static provider => new CordonedDirectoryCache(
            GrainDirectoryCacheFactory.CreateGrainDirectoryCache(provider, CachesOf(provider.GetRequiredService<IOptions<GrainDirectoryOptions>>().Value)),
            provider.GetRequiredService<Cordon>()));
        services.AddSingleton<HandOverMembers>();
        services.TryAddSingleton<StatelessWorkers>();
        services.TryAddSingleton<StatefulClasses>();
        services.TryAddSingleton<HandOverTelemetry>();
        services.AddSingleton<IConfigureGrainContextProvider, HandOverConfigurator>();
        services.AddSingleton<ILifecycleParticipant<ISiloLifecycle>, SiloHandOver>();
        services.AddTransient<IConfigurationValidator, StoutHandOverOptionsValidator>();
    }

    /// <summary>The application's options of Orleans' default cache.</summary>
    private static GrainDirectoryOptions CachesOf(GrainDirectoryOptions options) => new()
    {
        CachingStrategy = GrainDirectoryOptions.CachingStrategyType.LRU,
        CacheSize = options.CacheSize,
        MaximumCacheTTL = options.MaximumCacheTTL,
    };
}

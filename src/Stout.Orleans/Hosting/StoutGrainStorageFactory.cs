using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Runtime;
using Orleans.Serialization.Serializers;
using Orleans.Storage;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.Import;
using Stout.Orleans.Storage;

namespace Stout.Orleans.Hosting;

/// <summary>Makes a provider from the silo's services.</summary>
internal static class StoutGrainStorageFactory
{
    /// <param name="services">The silo's services.</param>
    /// <param name="name">The provider's name.</param>
    /// <param name="clientName">The name of its Stout client.</param>
    public static StoutGrainStorage Create(IServiceProvider services, string name, string clientName)
    {
        if (!services.GetServices<StoutStorageName>().Any(known => known.Name == clientName && known.Client == clientName))
        {
            throw new OrleansConfigurationException(
                $"The Stout grain storage '{name}' shares the store of '{clientName}', which is no Stout grain storage with a store of its own.");
        }

        var options = services.GetRequiredService<IOptionsMonitor<StoutGrainStorageOptions>>().Get(name).Copy();
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger(StoutOrleansMeter.Name);
        var client = services.GetRequiredKeyedService<StoutClient>(clientName);
        var telemetry = new OrleansTelemetry(name, logger, services.GetService<IMeterFactory>());
        var former = options.ImportFrom is { } from
            ? new FormerStorage(from, options.FenceImported, () => services.GetRequiredKeyedService<IGrainStorage>(from), telemetry)
            : null;
        if (former is not null)
            telemetry.Importing(former.Name);
        return new StoutGrainStorage(
            name,
            services.GetRequiredService<IOptions<ClusterOptions>>().Value.ServiceId,
            client,
            new KeyStore(client, options.Ownership, telemetry, AnswersOf(services, clientName)),
            options,
            former,
            services.GetRequiredService<KeySpaces>().Of(name),
            services.GetRequiredService<IGrainContextAccessor>(),
            services.GetRequiredService<IActivatorProvider>(),
            services.GetRequiredService<StatelessWorkers>(),
            services.GetRequiredService<IGrainFactory>,
            logger);
    }

    private static AnswerTime AnswersOf(IServiceProvider services, string clientName) => new(
        services.GetService<TimeProvider>() ?? TimeProvider.System,
        services.GetRequiredService<IOptionsMonitor<StoutOptions>>().Get(clientName).AnswerWithin!.Value,
        AnswerTime.PartOf(services.GetRequiredService<IOptions<GrainCollectionOptions>>().Value.DeactivationTimeout));
}

using System.Diagnostics.CodeAnalysis;
using Stout.Cosmos;
using Stout.Diagnostics;
using Stout.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Selects Azure Cosmos DB as the store.</summary>
public static class CosmosStoutBuilderExtensions
{
    /// <summary>
    /// Stores objects in Azure Cosmos DB. <see cref="CosmosOptions"/> are read from the section <c>Cosmos</c> in this Stout's configuration section.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="configure">Changes the options in code, after configuration.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseCosmos(this StoutBuilder builder, Action<CosmosOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.UseStore(
            "Cosmos",
            configure,
            static options => options.Validate(),
            (services, options) => new CosmosStorage(options, services.GetService<TimeProvider>(), StoutDiagnostics.Of(services, builder.Name)));
    }

    /// <summary>
    /// Stores objects in one account, in the database and container named stout. <see cref="CosmosOptions"/> are read from the section <c>Cosmos</c> in this
    /// Stout's configuration section. <c>Containers</c> there override <paramref name="connectionString"/>.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="connectionString">The account's connection string.</param>
    [RequiresUnreferencedCode("Options are bound from the configuration by reflection.")]
    [RequiresDynamicCode("Options are bound from the configuration by reflection.")]
    public static StoutBuilder UseCosmos(this StoutBuilder builder, string connectionString) =>
        builder.UseCosmos(options =>
        {
            if (options.Containers.Count == 0)
                options.Containers.Add(new CosmosContainerOptions { ConnectionString = connectionString });
        });
}

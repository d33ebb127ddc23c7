using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Stout.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds health checks.</summary>
public static class StoutHealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds the health check "stout", or "stout:name", with the tag "ready". It reports the age of the oldest undurable change, consecutive failures,
    /// a store that refuses every request, and failing background work. Its thresholds are in <see cref="StoutHealthOptions"/>.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="name">The Stout's name; empty by default, for the unnamed one.</param>
    /// <param name="configure">Changes the thresholds in code, after configuration.</param>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static IHealthChecksBuilder AddStout(this IHealthChecksBuilder builder, string name = "", Action<StoutHealthOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var stout = new StoutBuilder(builder.Services, name);
        stout.AddOptions("Health", configure, static options => options.Validate(), areOfStore: false);
        return builder.Add(new HealthCheckRegistration(
            name.Length == 0 ? "stout" : "stout:" + name,
            services => new StoutHealthCheck(
                services.GetRequiredKeyedService<StoutInstance>(name),
                services.GetRequiredService<IOptionsMonitor<StoutHealthOptions>>().Get(name)),
            failureStatus: null,
            tags: ["ready"]));
    }
}

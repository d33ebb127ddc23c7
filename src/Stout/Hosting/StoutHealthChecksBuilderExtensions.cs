using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Stout.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds Stouts' health.</summary>
public static class StoutHealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds the health check "stout", or "stout:name", with the tag "ready": by the age of the oldest undurable change and by
    /// failures in a row; unhealthy where the store refuses every request. Its thresholds are options: <see cref="StoutHealthOptions"/>.
    /// </summary>
    /// <param name="builder">The builder.</param>
    /// <param name="name">The Stout's name; empty, the default, for the one without.</param>
    /// <param name="configure">Sets thresholds in code; it has the last word.</param>
    [RequiresUnreferencedCode(StoutBuilder.ByReflection)]
    [RequiresDynamicCode(StoutBuilder.ByReflection)]
    public static IHealthChecksBuilder AddStout(this IHealthChecksBuilder builder, string name = "", Action<StoutHealthOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var stout = new StoutBuilder(builder.Services, name);
        stout.AddOptions("Health", configure, static options => options.Validate());
        return builder.Add(new HealthCheckRegistration(
            name.Length == 0 ? "stout" : "stout:" + name,
            services => new StoutHealthCheck(
                services.GetRequiredKeyedService<StoutInstance>(name),
                services.GetRequiredService<IOptionsMonitor<StoutHealthOptions>>().Get(name)),
            failureStatus: null,
            tags: ["ready"]));
    }
}

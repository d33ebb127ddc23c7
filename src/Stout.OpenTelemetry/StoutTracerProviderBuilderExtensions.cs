using Stout.Diagnostics;

namespace OpenTelemetry.Trace;

/// <summary>Adds Stout's traces.</summary>
public static class StoutTracerProviderBuilderExtensions
{
    /// <summary>
    /// Exports a span for each write request of every Stout of the process, with links to the callers' spans. The span is a root, so a parent-based sampler
    /// samples it independently.
    /// </summary>
    /// <param name="builder">The builder.</param>
    public static TracerProviderBuilder AddStoutInstrumentation(this TracerProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddSource(StoutTelemetry.ActivitySourceName);
    }
}

using Stout.Diagnostics;

namespace OpenTelemetry.Trace;

/// <summary>Adds Stout's traces.</summary>
public static class StoutTracerProviderBuilderExtensions
{
    /// <summary>
    /// Exports one span for each write request of every Stout of the process, with links to the spans of the calls that it makes
    /// durable. It is a root, so a sampler that follows parents decides on it by itself.
    /// </summary>
    /// <param name="builder">The builder.</param>
    public static TracerProviderBuilder AddStoutInstrumentation(this TracerProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddSource(StoutTelemetry.ActivitySourceName);
    }
}

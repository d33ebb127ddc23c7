using Stout.Diagnostics;

namespace OpenTelemetry.Metrics;

/// <summary>Adds Stout's metrics.</summary>
public static class StoutMeterProviderBuilderExtensions
{
    /// <summary>Exports the metrics of every Stout of the process; <see cref="StoutTelemetry.Instruments"/> names them.</summary>
    /// <param name="builder">The builder.</param>
    public static MeterProviderBuilder AddStoutInstrumentation(this MeterProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddMeter(StoutTelemetry.MeterName);
    }
}

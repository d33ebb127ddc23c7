using Stout.Diagnostics;

namespace OpenTelemetry.Metrics;

/// <summary>Adds Stout's metrics.</summary>
public static class StoutMeterProviderBuilderExtensions
{
    // The package Stout.Orleans, to which this package does not refer, names its meter so.
    private const string OrleansMeter = "Stout.Orleans";

    /// <summary>
    /// Exports the metrics of every Stout of the process, and those of <c>Stout.Orleans</c>. <see cref="StoutTelemetry.Instruments"/> names the first ones.
    /// </summary>
    /// <param name="builder">The builder.</param>
    public static MeterProviderBuilder AddStoutInstrumentation(this MeterProviderBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddMeter(StoutTelemetry.MeterName, OrleansMeter);
    }
}

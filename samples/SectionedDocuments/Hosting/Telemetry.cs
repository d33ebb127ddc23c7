using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace SectionedDocuments.Hosting;

/// <summary>
/// Metrics and traces of the service, of Stout and of the runtime. They are sent by OTLP to the collector that the standard setting
/// <c>OTEL_EXPORTER_OTLP_ENDPOINT</c> names; without the setting nothing is measured.
/// </summary>
internal static class Telemetry
{
    private const string Endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";

    public static void AddTelemetry(this WebApplicationBuilder builder)
    {
        if (string.IsNullOrEmpty(builder.Configuration[Endpoint]))
            return;
        builder.Services.AddOpenTelemetry()
            .ConfigureResource(static resource => resource.AddService("SectionedDocuments"))
            .WithMetrics(static metrics => metrics.AddStoutInstrumentation().AddAspNetCoreInstrumentation().AddRuntimeInstrumentation())
            .WithTracing(static traces => traces.AddStoutInstrumentation().AddAspNetCoreInstrumentation())
            .UseOtlpExporter();
    }
}

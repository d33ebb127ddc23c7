using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace SectionedDocuments.Hosting;

/// <summary>
/// Metrics and traces of the service, of Stout and of the runtime. They are sent by OTLP to the collector that the standard setting
/// <c>OTEL_EXPORTER_OTLP_ENDPOINT</c> names. With <see cref="ServiceOptions.Prometheus"/> the service serves the metrics at <c>/metrics</c>.
/// </summary>
internal static class Telemetry
{
    private const string Endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";

    public static void AddTelemetry(this WebApplicationBuilder builder)
    {
        var isScraped = builder.Configuration.GetValue<bool>($"SectionedDocuments:{nameof(ServiceOptions.Prometheus)}");
        var isSent = !string.IsNullOrEmpty(builder.Configuration[Endpoint]);
        if (!isScraped && !isSent)
            return;
        var telemetry = builder.Services.AddOpenTelemetry()
            .ConfigureResource(resource => resource.AddService(builder.Environment.ApplicationName))
            .WithMetrics(static metrics => metrics.AddStoutInstrumentation().AddAspNetCoreInstrumentation().AddRuntimeInstrumentation());
        if (isScraped)
            telemetry.WithMetrics(static metrics => metrics.AddPrometheusExporter());
        if (isSent)
            telemetry.WithTracing(static traces => traces.AddStoutInstrumentation().AddAspNetCoreInstrumentation()).UseOtlpExporter();
    }

    /// <summary>Serves the metrics, if the options say so.</summary>
    public static void MapTelemetry(this WebApplication app)
    {
        if (app.Services.GetRequiredService<ServiceOptions>().Prometheus)
            app.MapPrometheusScrapingEndpoint();
    }
}

using OpenTelemetry;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace Documentation.Examples;

/// <summary>The code of docs/telemetry.md, and of the page inside the package Stout.OpenTelemetry.</summary>
public static class TelemetryPage
{
    public static void Export()
    {
        #region opentelemetry
        using var metrics = Sdk.CreateMeterProviderBuilder().AddStoutInstrumentation().AddOtlpExporter().Build();
        using var traces = Sdk.CreateTracerProviderBuilder().AddStoutInstrumentation().AddOtlpExporter().Build();
        #endregion
    }
}

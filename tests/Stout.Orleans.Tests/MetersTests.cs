using System.Diagnostics.Metrics;
using OpenTelemetry;
using OpenTelemetry.Metrics;
using Stout.Orleans.Diagnostics;

namespace Stout.Orleans.Tests;

/// <summary>The meters that one call of AddStoutInstrumentation exports.</summary>
public sealed class MetersTests
{
    [Fact]
    public void The_meter_of_Stout_Orleans_is_exported()
    {
        using var meter = new Meter(StoutOrleansMeter.Name);
        var claims = meter.CreateCounter<long>(StoutOrleansMeter.Claims);
        using var names = new Names();
        using var reader = new BaseExportingMetricReader(names);
        using var provider = Sdk.CreateMeterProviderBuilder().AddStoutInstrumentation().AddReader(reader).Build();
        claims.Add(1);
        Assert.True(provider.ForceFlush());
        Assert.Contains(StoutOrleansMeter.Claims, names.Seen);
    }

    /// <summary>Keeps the names of the exported instruments.</summary>
    private sealed class Names : BaseExporter<Metric>
    {
        public List<string> Seen { get; } = [];

        public override ExportResult Export(in Batch<Metric> batch)
        {
            foreach (var metric in batch)
                Seen.Add(metric.Name);
            return ExportResult.Success;
        }
    }
}

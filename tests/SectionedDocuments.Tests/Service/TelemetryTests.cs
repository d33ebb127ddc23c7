using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

public sealed class TelemetryTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("/v1/metrics", "stout.store.request.duration")]
    [InlineData("/v1/metrics", "http.server.request.duration")]
    [InlineData("/v1/metrics", "dotnet.gc.collections")]
    [InlineData("/v1/traces", "stout.write")]
    public async Task Collector_that_a_setting_names_gets_metrics_and_traces(string path, string name)
    {
        using var collector = new Collector();
        using (var service = await RunningService.StartAsync(
            _folder, $"--OTEL_EXPORTER_OTLP_ENDPOINT={collector.Address}", "--OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf"))
        {
            await service.WriteAsync("tale", "1", "text");

            // The service sends all measurements before its process ends.
            service.Program.Terminate();
            Assert.Equal(0, await service.Program.ExitAsync());
        }

        Assert.Contains(name, collector.ReceivedAt(path), StringComparison.Ordinal);
    }
}

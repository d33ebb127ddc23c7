using System.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;
using Stout.Diagnostics;
using Stout.Documents;
using Stout.Pacing;
using Stout.Storage;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.OpenTelemetry.Tests;

/// <summary>A collector receives metrics and spans of the test's actions over OTLP.</summary>
public sealed class OtlpTests
{
    private const int Documents = 5;
    private const int Changes = 7;

    private static readonly ActivitySource Service = new("a service");

    [Fact]
    public async Task A_collector_receives_metrics_whose_values_agree_with_what_was_done()
    {
        await using var collector = await OtlpReceiver.StartAsync();
        using var provider = Sdk.CreateMeterProviderBuilder()
            .AddStoutInstrumentation()
            .AddOtlpExporter((exporter, reader) =>
            {
                Send(exporter, collector.Metrics);
                reader.PeriodicExportingMetricReaderOptions.ExportIntervalMilliseconds = Timeout.Infinite;
            })
            .Build();
        await using var documents = await OpenAsync("metrics");
        var notes = documents.GetCollection<string>("notes");
        for (var change = 0; change < Changes; change++)
        {
            for (var i = 0; i < Documents; i++)
                await notes.UpdateAsync($"{i}", _ => new string((char)('a' + change), 100), TestContext.Current.CancellationToken);
        }

        Assert.True(provider.ForceFlush());

        var done = documents.GetStatistics();
        Assert.Equal(Documents * Changes, done.Changes);
        Assert.Equal(done.Changes, Sum(Instruments.Changes, "{change}", "sum"));
        Assert.Equal(done.KeysWritten, Sum(Instruments.KeysWritten, "{key}", "sum"));
        Assert.Equal(100 * Documents * Changes, Sum(Instruments.BytesWritten, "By", "sum"));
        Assert.Equal(Documents * Changes, Sum(Instruments.MessagesReleased, "{message}", "sum"));
        Assert.Equal(Documents, Sum(Instruments.KeysRead, "{key}", "sum"));
        Assert.Equal(Documents, Sum(Instruments.KeysOpen, "{key}", "sum"));
        Assert.Equal(0, Sum(Instruments.MessagesWaiting, "{message}", "sum"));
        Assert.Equal(0, Sum(Instruments.OldestChangeAge, "s", "gauge"));
        Assert.Equal(done.KeysWritten, Sum(Instruments.BatchKeys, "{key}", "histogram"));
        Assert.Equal(100 * done.KeysWritten, Sum(Instruments.BatchSize, "By", "histogram"));
        Assert.Equal(done.WriteRequests, Of(Instruments.BatchKeys).Sum(point => (long)point.Count));
        var writes = Of(Instruments.RequestDuration).Where(point => point.Tags[Tags.Operation].Equals("write")).ToList();
        Assert.Equal(done.WriteRequests, writes.Sum(point => (long)point.Count));
        Assert.All(writes, point => Assert.Equal("answered", point.Tags[Tags.Outcome]));
        Assert.All(writes, point => Assert.DoesNotContain(Tags.ErrorType, point.Tags));
        Assert.Equal([0L, 1L], Of(Instruments.Changes).Select(point => (long)point.Tags[Tags.Partition]).Order());

        IEnumerable<ReceivedPoint> Of(string instrument) =>
            collector.Last(instrument).Where(point => point.Tags[Tags.Client].Equals("metrics"));

        double Sum(string instrument, string unit, string kind)
        {
            var points = Of(instrument).ToList();
            Assert.NotEmpty(points);
            Assert.All(points, point => Assert.Equal((unit, kind), (point.Unit, point.Kind)));
            return points.Sum(point => point.Value);
        }
    }

    [Fact]
    public async Task A_collector_receives_a_span_for_each_write_request_that_links_to_its_callers_spans()
    {
        await using var collector = await OtlpReceiver.StartAsync();
        using var provider = Sdk.CreateTracerProviderBuilder()
            .AddStoutInstrumentation()
            .AddSource(Service.Name)
            .AddOtlpExporter(exporter => Send(exporter, collector.Traces))
            .Build();
        await using var documents = await OpenAsync("traces");
        var notes = documents.GetCollection<string>("notes");
        var callers = new List<(string TraceId, string SpanId)>();
        for (var i = 0; i < Documents; i++)
        {
            using var call = Service.StartActivity($"call {i}");
            callers.Add((call!.TraceId.ToHexString(), call.SpanId.ToHexString()));
            await notes.UpdateAsync($"{i}", _ => "text", TestContext.Current.CancellationToken);
        }

        // The spans of answered requests ended before their callers continued. A shutdown exports them all; a flush may return during a timer's export.
        Assert.True(provider.Shutdown());

        var batches = collector.Spans.Where(span => span.Name == WriteActivityName && span.Tags[Tags.Client].Equals("traces")).ToList();
        Assert.Equal(documents.GetStatistics().WriteRequests, batches.Count);
        Assert.Equal(callers.Order(), batches.SelectMany(batch => batch.Links).Order());
        Assert.All(batches, batch =>
        {
            Assert.Equal(3ul, batch.Kind); // CLIENT
            Assert.Empty(batch.ParentSpanId);
            Assert.Equal("write", batch.Tags[Tags.Operation]);
            Assert.Equal("answered", batch.Tags[Tags.Outcome]);
            Assert.Equal(0ul, batch.Status);
            Assert.Equal(4 * KeysOf(batch), batch.Tags[Tags.BatchBytes]);
        });
        Assert.Equal(Documents, batches.Sum(KeysOf));

        // A request of one key is no batch, so it has no batch size.
        static long KeysOf(ReceivedSpan batch) => batch.Tags.TryGetValue(Tags.BatchSize, out var keys) ? (long)keys : 1;
    }

    private static ValueTask<DocumentStore> OpenAsync(string name) => DocumentStore.OpenAsync(
        new InMemoryStore(partitions: 2),
        new DocumentStoreOptions
        {
            Stout = new StoutOptions
            {
                Pacing = PacingLaws.NoBatching(),
                Diagnostics = new StoutDiagnostics { ClientName = name },
            },
        },
        cancellationToken: TestContext.Current.CancellationToken);

    private static void Send(OtlpExporterOptions exporter, Uri endpoint)
    {
        exporter.Protocol = OtlpExportProtocol.HttpProtobuf;
        exporter.Endpoint = endpoint;
        exporter.TimeoutMilliseconds = 300_000; // A busy machine takes longer than the default of 10 s.
    }
}

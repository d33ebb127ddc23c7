using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Stout.OpenTelemetry.Tests;

/// <summary>A collector of OTLP over HTTP with protobuf bodies, which keeps the points and spans that it gets.</summary>
internal sealed class OtlpReceiver : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly Lock _lock = new();
    private readonly List<ReceivedPoint> _points = [];
    private readonly List<ReceivedSpan> _spans = [];

    private OtlpReceiver(WebApplication app)
    {
        _app = app;
        app.MapPost("/v1/metrics", request => Take(request, body =>
        {
            foreach (var metric in Scoped(body))
                _points.AddRange(ReceivedPoint.Of(metric));
        }));
        app.MapPost("/v1/traces", request => Take(request, body =>
        {
            foreach (var span in Scoped(body))
                _spans.Add(new ReceivedSpan(span));
        }));
    }

    public Uri Metrics => new(Address + "/v1/metrics");

    public Uri Traces => new(Address + "/v1/traces");

    public IReadOnlyList<ReceivedSpan> Spans
    {
        get
        {
            lock (_lock)
                return [.. _spans];
        }
    }

    private string Address => _app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single();

    public static async Task<OtlpReceiver> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        var receiver = new OtlpReceiver(builder.Build());
        await receiver._app.StartAsync();
        return receiver;
    }

    /// <summary>The last points received of an instrument, one for each set of tags.</summary>
    public IReadOnlyList<ReceivedPoint> Last(string instrument)
    {
        lock (_lock)
            return [.. _points.Where(point => point.Instrument == instrument).GroupBy(point => point.TagText).Select(points => points.Last())];
    }

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();

    // The fields of ExportMetricsServiceRequest and of ExportTraceServiceRequest have the same numbers: resource (1), scope (2), item (2).
    private static IEnumerable<ProtobufReader> Scoped(ProtobufReader body) =>
        body.Messages(1).SelectMany(resource => resource.Messages(2)).SelectMany(scope => scope.Messages(2));

    private async Task Take(HttpContext context, Action<ProtobufReader> read)
    {
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body);
        lock (_lock)
            read(new ProtobufReader(body.ToArray()));
        context.Response.ContentType = "application/x-protobuf";
    }
}

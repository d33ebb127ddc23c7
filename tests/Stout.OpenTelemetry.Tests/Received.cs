namespace Stout.OpenTelemetry.Tests;

/// <summary>A data point of a metric (opentelemetry.proto.metrics.v1).</summary>
internal sealed record ReceivedPoint(string Instrument, string Unit, string Kind, double Value, ulong Count, IReadOnlyDictionary<string, object> Tags)
{
    public string TagText => string.Join(",", Tags.OrderBy(tag => tag.Key, StringComparer.Ordinal).Select(tag => $"{tag.Key}={tag.Value}"));

    public static IEnumerable<ReceivedPoint> Of(ProtobufReader metric)
    {
        var (name, unit) = (metric.Text(1), metric.Text(3));
        foreach (var (field, kind) in new[] { (5, "gauge"), (7, "sum"), (9, "histogram") })
        {
            if (metric.Message(field) is not { } data)
                continue;
            foreach (var point in data.Messages(1))
            {
                yield return kind == "histogram"
                    ? new ReceivedPoint(name, unit, kind, point.Double(5), point.Number(4), Attributes.Of(point, 9))
                    : new ReceivedPoint(name, unit, kind, point.Has(4) ? point.Double(4) : (long)point.Number(6), 0, Attributes.Of(point, 7));
            }
        }
    }
}

/// <summary>A span (opentelemetry.proto.trace.v1).</summary>
internal sealed class ReceivedSpan(ProtobufReader span)
{
    public string TraceId { get; } = span.Hex(1);

    public string ParentSpanId { get; } = span.Hex(4);

    public string Name { get; } = span.Text(5);

    public ulong Kind { get; } = span.Number(6);

    public IReadOnlyDictionary<string, object> Tags { get; } = Attributes.Of(span, 9);

    public IReadOnlyList<(string TraceId, string SpanId)> Links { get; } = [.. span.Messages(13).Select(link => (link.Hex(1), link.Hex(2)))];

    /// <summary>The status code: 0 unset, 1 ok, 2 error.</summary>
    public ulong Status { get; } = span.Message(15)?.Number(3) ?? 0;
}

internal static class Attributes
{
    public static IReadOnlyDictionary<string, object> Of(ProtobufReader message, int field) => message.Messages(field).ToDictionary(
        pair => pair.Text(1),
        pair => pair.Message(2) is { } value && value.Has(1) ? value.Text(1) : (object)(long)pair.Message(2)!.Number(3));
}

using System.Text.Json.Nodes;
using Stout.Experiments.Output;

namespace Stout.Experiments.Experiments;

/// <summary>Curves as rows of the summary in JSON.</summary>
internal static class CurveRows
{
    public static JsonArray Of(IEnumerable<CurvePoint> points) =>
        new([.. points.Select(static JsonNode (point) => new JsonObject
        {
            ["policy"] = point.Policy,
            ["rate"] = point.Load,
            ["achieved"] = Json.Value(point.Run.Achieved),
            ["meanMs"] = Json.Value(point.Run.MeanMilliseconds),
            ["p99Ms"] = Json.Value(point.Run.P99Milliseconds),
            ["overloaded"] = point.Overloaded,
        })]);
}

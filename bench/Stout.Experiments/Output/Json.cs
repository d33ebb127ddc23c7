using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Stout.Experiments.Output;

/// <summary>A whole result as JSON, for programs that draw or join results.</summary>
internal static class Json
{
    private static readonly JsonSerializerOptions Format = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static string Of(Document document)
    {
        var (experiment, _, result) = document;
        var whole = new JsonObject
        {
            ["title"] = experiment.Title,
            ["summary"] = document.Summary(),
            ["headlines"] = JsonSerializer.SerializeToNode(result.Headlines, Format),
            ["plots"] = JsonSerializer.SerializeToNode(result.Plots, Format),
            ["notes"] = JsonSerializer.SerializeToNode(result.Notes, Format),
            ["columns"] = JsonSerializer.SerializeToNode(result.Table.Columns, Format),
            ["rows"] = new JsonArray([.. result.Table.Rows.Select(row => new JsonArray([.. row.Select(Value)]))]),
        };
        return whole.ToJsonString(Format) + "\n";
    }

    /// <summary>A value of a table or a summary; null for what is no number.</summary>
    public static JsonNode? Value(object? value) => value switch
    {
        null => null,
        double number => double.IsFinite(number) ? JsonValue.Create(Math.Round(number, 5)) : null,
        var other => JsonSerializer.SerializeToNode(other),
    };
}

using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace Stout.Experiments.Output;

/// <summary>Writes a whole document as JSON, for programs that draw or join results, and reads it back for the command <c>report</c>.</summary>
internal static class Json
{
    private static readonly JsonSerializerOptions Format = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Converters = { new RoundedNumber(), new TableConverter() },
    };

    public static string Of(Document document) => JsonSerializer.Serialize(document, Format) + "\n";

    /// <exception cref="JsonException">The text is no document.</exception>
    public static Document Read(string text) => JsonSerializer.Deserialize<Document>(text, Format) ?? throw new JsonException("There is no document.");

    /// <summary>A value of a table or a summary; null for infinity and NaN.</summary>
    public static JsonNode? Value(object? value) => value switch
    {
        null => null,
        double number => double.IsFinite(number) ? JsonValue.Create(Rounded(number)) : null,
        var other => JsonSerializer.SerializeToNode(other),
    };

    // Five digits after the point are more than the precision of any figure.
    private static double Rounded(double number) => Math.Round(number, 5);

    /// <summary>Writes infinity and NaN as null, since JSON has neither.</summary>
    private sealed class RoundedNumber : JsonConverter<double>
    {
        public override bool HandleNull => true;

        public override double Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            reader.TokenType == JsonTokenType.Null ? double.NaN : reader.GetDouble();

        public override void Write(Utf8JsonWriter writer, double value, JsonSerializerOptions options)
        {
            if (double.IsFinite(value))
                writer.WriteNumberValue(Rounded(value));
            else
                writer.WriteNullValue();
        }
    }

    /// <summary>Writes each row of a table on a line of its own, so that thousands of rows stay readable.</summary>
    private sealed class TableConverter : JsonConverter<Table>
    {
        private static readonly JsonSerializerOptions OneLine = new() { Encoder = Format.Encoder };

        public override Table Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            var whole = JsonNode.Parse(ref reader)!.AsObject();
            var table = new Table(whole["columns"].Deserialize<Column[]>(options)!);
            foreach (var row in whole["rows"]!.AsArray())
                table.Add([.. row!.AsArray().Select(Cell)]);
            return table;
        }

        public override void Write(Utf8JsonWriter writer, Table value, JsonSerializerOptions options)
        {
            writer.WriteStartObject();
            writer.WritePropertyName("columns");
            JsonSerializer.Serialize(writer, value.Columns, options);
            writer.WriteStartArray("rows");
            foreach (var row in value.Rows)
                writer.WriteRawValue("\n        " + new JsonArray([.. row.Select(Value)]).ToJsonString(OneLine));
            writer.WriteEndArray();
            writer.WriteEndObject();
        }

        private static object? Cell(JsonNode? node) => node?.GetValueKind() switch
        {
            null or JsonValueKind.Null => null,
            JsonValueKind.Number => node.GetValue<double>(),
            JsonValueKind.True => true,
            JsonValueKind.False => false,
            _ => node.GetValue<string>(),
        };
    }
}

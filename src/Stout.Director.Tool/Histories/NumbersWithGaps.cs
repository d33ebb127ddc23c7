using System.Text.Json;
using System.Text.Json.Serialization;

namespace Stout.Director.Tool.Histories;

/// <summary>Numbers in JSON, with null for a number that is unknown (NaN).</summary>
internal sealed class NumbersWithGaps : JsonConverter<double[]>
{
    public override double[] Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
            throw new JsonException("An array of numbers is expected.");
        var values = new List<double>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            values.Add(reader.TokenType == JsonTokenType.Null ? double.NaN : reader.GetDouble());
        return [.. values];
    }

    public override void Write(Utf8JsonWriter writer, double[] value, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        foreach (var number in value)
        {
            if (double.IsFinite(number))
                writer.WriteNumberValue(number);
            else
                writer.WriteNullValue();
        }

        writer.WriteEndArray();
    }
}

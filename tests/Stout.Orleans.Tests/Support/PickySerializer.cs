using System.Text.Json;
using Orleans.Storage;

namespace Stout.Orleans.Tests;

/// <summary>A serializer of JSON that refuses to write the value <see cref="Refused"/>, and to read the value <see cref="Unreadable"/>.</summary>
public sealed class PickySerializer : IGrainStorageSerializer
{
    public const string Refused = "refused";
    public const string Unreadable = "unreadable";

    public BinaryData Serialize<T>(T? input) => input is TestState { Text: Refused }
        ? throw new NotSupportedException("refused")
        : new BinaryData(JsonSerializer.SerializeToUtf8Bytes(input));

    public T? Deserialize<T>(BinaryData input) => JsonSerializer.Deserialize<T>(input.ToMemory().Span) is var value
        && value is TestState { Text: Unreadable } or JsonElement { ValueKind: JsonValueKind.String }
        ? throw new NotSupportedException("unreadable")
        : value;
}

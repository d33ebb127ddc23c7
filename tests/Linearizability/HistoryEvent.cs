using System.Text.Json.Serialization;

namespace Linearizability;

/// <summary>A line of a history file: an operation begins or ends.</summary>
internal sealed record HistoryEvent(long Id, HistoryEventKind Event, long At)
{
    public OperationKind Kind { get; init; }

    public string? Client { get; init; }

    public string? Key { get; init; }

    public string? Expected { get; init; }

    public string? Value { get; init; }

    public string? Seen { get; init; }

    public bool TellsSeen { get; init; }
}

[JsonConverter(typeof(JsonStringEnumConverter<HistoryEventKind>))]
internal enum HistoryEventKind
{
    /// <summary>A client sends its request.</summary>
    Invoke,

    /// <summary>The client has the answer that the operation is done.</summary>
    Return,

    /// <summary>The client has the answer that the operation is certainly not done, and never will be.</summary>
    Fail,
}

[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault, UseStringEnumConverter = true)]
[JsonSerializable(typeof(HistoryEvent))]
internal sealed partial class HistoryJson : JsonSerializerContext;

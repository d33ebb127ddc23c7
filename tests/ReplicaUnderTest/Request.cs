using System.Text.Json.Serialization;

namespace ReplicaUnderTest;

/// <summary>A client's request to a replica: a line of JSON on its standard input.</summary>
/// <param name="Id">Comes back with the answer.</param>
/// <param name="Kind">The kind of request.</param>
/// <param name="Key">With which register or counter.</param>
/// <param name="Value">The value to write; null deletes.</param>
/// <param name="Expected">The value on which a change writes.</param>
/// <param name="Throws">Whether a change's function tells another value than the expected one by an exception.</param>
internal sealed record Request(long Id, RequestKind Kind, string Key, string? Value = null, string? Expected = null, bool Throws = false);

[JsonConverter(typeof(JsonStringEnumConverter<RequestKind>))]
internal enum RequestKind
{
    Read,
    Write,
    Change,

    /// <summary>Adds 1 to a counter.</summary>
    Add,

    /// <summary>Reads a counter.</summary>
    Count,

    /// <summary>Sets the replica's clock apart from the machine's, by the ticks of the value.</summary>
    SetClock,
}

/// <summary>A replica's answer: a line of JSON on its standard output.</summary>
/// <param name="Id">The request's.</param>
/// <param name="Outcome">The request's outcome.</param>
/// <param name="Seen">If it is done: the value before it; of a counter, the number after it.</param>
/// <param name="Error">If it is not done: why.</param>
internal sealed record Answer(long Id, Outcome Outcome, string? Seen = null, string? Error = null)
{
    /// <summary>The least time that the replica's clock has shown during the request, in ticks.</summary>
    public long Least { get; init; }

    /// <summary>The greatest.</summary>
    public long Greatest { get; init; }
}

[JsonConverter(typeof(JsonStringEnumConverter<Outcome>))]
internal enum Outcome
{
    Done,

    /// <summary>Certainly not done.</summary>
    NotDone,

    Unknown,

    /// <summary>An error that no caller should see.</summary>
    Fault,
}

[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault)]
[JsonSerializable(typeof(Request))]
[JsonSerializable(typeof(Answer))]
internal sealed partial class ProtocolJson : JsonSerializerContext;

using System.Text.Json.Serialization;

namespace ReplicaUnderTest;

/// <summary>A client's request to a replica: a line of JSON on its standard input.</summary>
/// <param name="Id">The request's number, which the answer repeats.</param>
/// <param name="Kind">The kind of request.</param>
/// <param name="Key">The key of the register or counter.</param>
/// <param name="Value">The value to write; null deletes.</param>
/// <param name="Expected">The value that a change expects. If the register has another value, the change writes nothing.</param>
/// <param name="Throws">Whether the function of a change throws an exception with the value that it saw, if that is not the expected one.</param>
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

    /// <summary>Sets the offset of the replica's clock from the machine's to the value, in ticks.</summary>
    SetClock,
}

/// <summary>A replica's answer: a line of JSON on its standard output.</summary>
/// <param name="Id">The request's number.</param>
/// <param name="Outcome">The request's outcome.</param>
/// <param name="Seen">If the request is done: the value before it, or the number of a counter after it.</param>
/// <param name="Error">If the request is not done: the reason.</param>
internal sealed record Answer(long Id, Outcome Outcome, string? Seen = null, string? Error = null)
{
    /// <summary>The least time that the replica's clock has shown during the request, in ticks.</summary>
    public long Least { get; init; }

    /// <summary>The greatest time that the replica's clock has shown during the request, in ticks.</summary>
    public long Greatest { get; init; }
}

[JsonConverter(typeof(JsonStringEnumConverter<Outcome>))]
internal enum Outcome
{
    Done,

    /// <summary>The request was certainly not done.</summary>
    NotDone,

    Unknown,

    /// <summary>An error that no caller should see.</summary>
    Fault,
}

[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault)]
[JsonSerializable(typeof(Request))]
[JsonSerializable(typeof(Answer))]
internal sealed partial class ProtocolJson : JsonSerializerContext;

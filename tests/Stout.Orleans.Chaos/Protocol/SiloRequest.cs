using System.Text.Json.Serialization;

namespace Stout.Orleans.Chaos.Protocol;

/// <summary>A request to a silo.</summary>
/// <param name="Id">The request's id, which comes back with the answer.</param>
/// <param name="Kind">The kind of request.</param>
internal sealed record SiloRequest(long Id, RequestKind Kind)
{
    /// <summary>The document's name; empty for a request that concerns no document.</summary>
    public string Document { get; init; } = "";

    /// <summary>The value to write, or the silo that is asked about.</summary>
    public string? Value { get; init; }

    /// <summary>How far the silo's clock is ahead of the machine's.</summary>
    public TimeSpan ClockOffset { get; init; }

    /// <summary>The rate of the silo's clock: its seconds in a real second.</summary>
    public double ClockRate { get; init; } = 1;
}

[JsonConverter(typeof(JsonStringEnumConverter<RequestKind>))]
internal enum RequestKind
{
    /// <summary>Reads, and has the store confirm the ownership before the answer.</summary>
    Read,

    /// <summary>Reads from memory.</summary>
    Look,

    /// <summary>Writes a value.</summary>
    Write,

    /// <summary>Writes a value. The grain's method itself waits until the value is durable, and runs on after the wait before it replies.</summary>
    WriteAndGoOn,

    /// <summary>Has the activation write a value when it is deactivated.</summary>
    Arm,

    /// <summary>Sets the silo's clock.</summary>
    SetClock,

    /// <summary>Asks whether the silo considers another silo, given by its name, active.</summary>
    IsActive,

    /// <summary>Has the silo leave its cluster. The answer tells the values that its grains saved at the end.</summary>
    Leave,
}

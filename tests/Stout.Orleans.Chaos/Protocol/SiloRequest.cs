using System.Text.Json.Serialization;

namespace Stout.Orleans.Chaos.Protocol;

/// <summary>A request to a silo.</summary>
/// <param name="Id">Comes back with the answer.</param>
/// <param name="Kind">The kind of request.</param>
internal sealed record SiloRequest(long Id, RequestKind Kind)
{
    /// <summary>The document.</summary>
    public string Document { get; init; } = "";

    /// <summary>The value to write, or the silo that is asked about.</summary>
    public string? Value { get; init; }

    /// <summary>How far the silo's clock is ahead.</summary>
    public TimeSpan ClockOffset { get; init; }

    /// <summary>How many seconds the silo's clock goes in a second.</summary>
    public double ClockRate { get; init; } = 1;
}

[JsonConverter(typeof(JsonStringEnumConverter<RequestKind>))]
internal enum RequestKind
{
    /// <summary>Reads with a confirmed ownership.</summary>
    Read,

    /// <summary>Reads from memory.</summary>
    Look,

    /// <summary>Writes a value.</summary>
    Write,

    /// <summary>Writes a value, and goes on in the grain once it is durable.</summary>
    WriteAndGoOn,

    /// <summary>Has the activation write a value when it is deactivated.</summary>
    Arm,

    /// <summary>Sets the silo's clock.</summary>
    SetClock,

    /// <summary>Asks whether the silo takes another one, by its name, for active.</summary>
    IsActive,

    /// <summary>Has the silo leave its cluster. The answer tells the values that its grains saved at the end.</summary>
    Leave,
}

using System.Text.Json.Serialization;
using Stout.Orleans.Chaos.Grains;

namespace Stout.Orleans.Chaos.Protocol;

/// <summary>A silo's answer.</summary>
/// <param name="Id">The request's id.</param>
/// <param name="Outcome">The request's outcome.</param>
internal sealed record SiloAnswer(long Id, Outcome Outcome)
{
    /// <summary>The document before a write, or as it was read.</summary>
    public View? View { get; init; }

    /// <summary>Whether the request failed because the document has a newer owner.</summary>
    public bool IsFenced { get; init; }

    /// <summary>The exception, if the request has thrown one.</summary>
    public string? Error { get; init; }

    /// <summary>Whether the silo that was asked about is active.</summary>
    public bool IsActive { get; init; }

    /// <summary>The values that grains saved when the silo left.</summary>
    public IReadOnlyList<EndSave> Saves { get; init; } = [];
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
[JsonSerializable(typeof(SiloRequest))]
[JsonSerializable(typeof(SiloAnswer))]
internal sealed partial class ProtocolJson : JsonSerializerContext;

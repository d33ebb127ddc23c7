using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Load;

/// <summary>The answers and outcomes of one document.</summary>
internal sealed class DocumentRecord
{
    /// <summary>The answers, in no order.</summary>
    public List<Observation> Observations { get; } = [];

    /// <summary>The outcome of each value's write.</summary>
    public Dictionary<string, Outcome> Writes { get; } = [];

    /// <summary>The values that the document's grain wrote at its deactivation, when its silo left.</summary>
    public List<EndSave> Saves { get; } = [];

    /// <summary>The silo that had the document's grain last.</summary>
    public string? Silo { get; set; }
}

using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace Stout.Experiments.Output;

/// <summary>All that an experiment has to say; every form of output is made of it.</summary>
internal sealed record ExperimentResult
{
    public required Table Table { get; init; }

    public IReadOnlyList<Headline> Headlines { get; init; } = [];

    public IReadOnlyList<Plot> Plots { get; init; } = [];

    /// <summary>What a reader must know to judge the figures, a sentence or two each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The experiment's own keys of the summary for scripts. They say again what the rest says.</summary>
    [JsonIgnore]
    public JsonObject Summary { get; init; } = [];
}

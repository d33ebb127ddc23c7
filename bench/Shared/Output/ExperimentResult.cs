using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace Stout.Experiments.Output;

/// <summary>The whole result of an experiment. Every form of output is made from it.</summary>
internal sealed record ExperimentResult
{
    public required Table Table { get; init; }

    public IReadOnlyList<Headline> Headlines { get; init; } = [];

    public IReadOnlyList<Plot> Plots { get; init; } = [];

    /// <summary>Facts that a reader needs to judge the figures, a sentence or two each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The experiment's own keys of the summary for scripts. They repeat other figures of the result.</summary>
    [JsonIgnore]
    public JsonObject Summary { get; init; } = [];

    /// <summary>The result without the paper's figures, which do not apply to another store at other loads.</summary>
    public ExperimentResult WithoutPaper() => this with
    {
        Headlines = [.. Headlines.Select(headline => headline with { Paper = null, Reason = null })],
        Plots = [.. Plots.Select(plot => plot with { Paper = [] })],
    };
}

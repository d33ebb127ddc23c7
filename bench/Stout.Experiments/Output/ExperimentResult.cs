using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace Stout.Experiments.Output;

/// <summary>All that an experiment has to say; every form of output is made of it.</summary>
internal sealed record ExperimentResult
{
    public required Table Table { get; init; }

    public IReadOnlyList<Headline> Headlines { get; init; } = [];

    public IReadOnlyList<Plot> Plots { get; init; } = [];

    /// <summary>Facts that a reader needs to judge the figures, a sentence or two each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The experiment's own keys of the summary for scripts. They say again what the rest says.</summary>
    [JsonIgnore]
    public JsonObject Summary { get; init; } = [];

    /// <summary>The same without the paper's figures: another store, at other loads, has nothing to be held to them.</summary>
    public ExperimentResult WithoutPaper() => this with
    {
        Headlines = [.. Headlines.Select(headline => headline with { Paper = null, Reason = null })],
        Plots = [.. Plots.Select(plot => plot with { Paper = [] })],
    };
}

using System.Runtime.InteropServices;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace Stout.Experiments.Output;

/// <summary>
/// A result with its settings: the content of a result file, and the source of every page and picture. On the model a document does not depend on the machine's
/// speed, so a repeated run gives the same document.
/// </summary>
internal sealed record Document
{
    /// <summary>The command that runs an experiment, from the repository's root.</summary>
    public static readonly string Program = $"dotnet run -c Release --project bench/{typeof(Document).Assembly.GetName().Name} --";

    /// <summary>The experiment, as the command line names it.</summary>
    public required string Experiment { get; init; }

    public required string Title { get; init; }

    public required string Store { get; init; }

    /// <summary>The kind of store that is modelled; null on a real store.</summary>
    public ModelledStore? Model { get; init; }

    /// <summary>The real store; null on the model.</summary>
    public RealStore? RealStore { get; init; }

    public required string Law { get; init; }

    /// <summary>Whether the figures depend on the law.</summary>
    public required bool LawMatters { get; init; }

    /// <summary>The scope of one law: a lane or a process.</summary>
    public required string Scope { get; init; }

    public required int Seed { get; init; }

    /// <summary>Arguments that repeat the run.</summary>
    public required string Arguments { get; init; }

    /// <summary>The runtime's version and the processor's architecture. A run repeats exactly where both are the same.</summary>
    public string Runtime { get; init; } = $".NET {Environment.Version.ToString(2)}, {RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant()}";

    /// <summary>
    /// The name of the document's files, without their extensions. It contains settings, so that runs of one experiment with other settings don't replace
    /// each other.
    /// </summary>
    public required string Stem { get; init; }

    public required ExperimentResult Result { get; init; }

    /// <summary>The command that repeats the run.</summary>
    [JsonIgnore]
    public string Command => $"{Program} {Arguments}";

    /// <summary>The law, if the experiment uses it, and the store.</summary>
    [JsonIgnore]
    public string Setting => $"{(LawMatters ? $"{Law} on " : "")}{Store}{(Model is null ? "" : $" {Model.Name}")}";

    /// <summary>The experiment, its title, and the settings that distinguish it from its other runs.</summary>
    [JsonIgnore]
    public string Heading => $"{Experiment}: {Title} ({Setting})";

    /// <summary>The settings, in a few sentences.</summary>
    [JsonIgnore]
    public string Conditions =>
        $"Store: {Store}{(Model is null ? "" : $" ({Model.Description})")}. {RealStore?.Conditions}{(LawMatters ? $"Law: {Law}, one per {Scope}. " : "")}Seed: {Seed}. {Runtime}.";

    /// <summary>The summary for scripts.</summary>
    public JsonObject Summary()
    {
        var summary = new JsonObject
        {
            ["experiment"] = Experiment,
            ["store"] = Store,
            ["seed"] = Seed,
            ["law"] = Law,
            ["model"] = Model?.Name,
            ["scope"] = Scope,
            ["capacity"] = RealStore?.Capacity,
        };
        foreach (var (key, value) in Result.Summary)
            summary[key] = value?.DeepClone();
        return summary;
    }
}

/// <summary>A kind of store that is modelled, and what it stands for.</summary>
internal sealed record ModelledStore(string Name, string Description);

/// <summary>A real store that an experiment ran on, and the machine.</summary>
/// <param name="Description">The store's name and version.</param>
/// <param name="Machine">The machine in general terms.</param>
/// <param name="Capacity">Requests/s that the store sustained just before; null if the loads don't depend on that rate.</param>
internal sealed record RealStore(string Description, string Machine, double? Capacity)
{
    /// <summary>The conditions of the run in a few sentences, with a blank at the end.</summary>
    [JsonIgnore]
    public string Conditions =>
        $"{Description}. Clients and middle tiers in one process: {Machine}. {(Capacity is null ? "" : FormattableString.Invariant($"Just before, the store sustained {Capacity:#,0} requests/s with some fixed interval. "))}";
}

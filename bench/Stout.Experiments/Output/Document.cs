using System.Text.Json.Nodes;
using Stout.Experiments.Experiments;

namespace Stout.Experiments.Output;

/// <summary>A result, with what was asked for.</summary>
internal sealed record Document(IExperiment Experiment, RunSettings Settings, ExperimentResult Result)
{
    /// <summary>The summary for scripts.</summary>
    public JsonObject Summary()
    {
        var summary = new JsonObject
        {
            ["experiment"] = Experiment.Name,
            ["store"] = Settings.Store,
            ["seed"] = Settings.Seed,
            ["law"] = Settings.Law.Name,
            ["model"] = Settings.Model.Name,
            ["scope"] = Settings.ScopeOf(Experiment).ToString().ToLowerInvariant(),
        };
        foreach (var (key, value) in Result.Summary)
            summary[key] = value?.DeepClone();
        return summary;
    }

    /// <summary>Writes the result into a folder: the table, a page, and everything for other programs.</summary>
    public async Task SaveAsync(DirectoryInfo folder, CancellationToken cancellationToken)
    {
        folder.Create();
        await WriteAsync("csv", Csv.Of(Result.Table));
        await WriteAsync("md", Markdown.Of(this));
        await WriteAsync("json", Json.Of(this));

        Task WriteAsync(string extension, string text) =>
            File.WriteAllTextAsync(Path.Combine(folder.FullName, $"{Experiment.Name}.{extension}"), text, cancellationToken);
    }
}

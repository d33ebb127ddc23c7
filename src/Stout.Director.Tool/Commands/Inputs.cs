using System.CommandLine;
using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tool.Commands;

/// <summary>Options that several commands have, and the files that they name.</summary>
internal static class Inputs
{
    public static Option<string?> Slo() => new("--slo") { Description = "The objective, for example \"99 % of reads under 100 ms, over 1 min\"", HelpName = "OBJECTIVE" };

    public static Option<int> Seed() => new("--seed") { Description = "Seed of all that is random", HelpName = "N", DefaultValueFactory = _ => 1 };

    public static Option<FileInfo> Recording() => new("--recording") { Description = "A recording of a Director's inputs", HelpName = "FILE", Required = true };

    public static ServiceObjective Objective(string? text) => text is null ? ServiceObjective.Paper : ServiceObjective.Parse(text);

    public static ModelFile Model(FileInfo? file)
    {
        if (file is null)
            return TrainedModels.SmallInstance;
        using var stream = file.OpenRead();
        return ModelFile.Read(stream);
    }

    public static Recording Read(FileInfo file)
    {
        using var stream = file.OpenRead();
        return Recordings.Recording.Read(stream);
    }
}

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
        // A Director that runs appends to the file.
        using var stream = new FileStream(file.FullName, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        var recording = Recordings.Recording.Read(stream, acceptTruncated: true);
        if (!recording.IsWhole)
            Console.Error.WriteLine("The recording has no end: its Director still runs, or ended without ending it. All whole entries are read.");
        return recording;
    }
}

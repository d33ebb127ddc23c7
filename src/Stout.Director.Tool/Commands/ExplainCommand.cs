using System.CommandLine;
using System.Globalization;
using Stout.Director.Actions;
using Stout.Director.Recordings;

namespace Stout.Director.Tool.Commands;

/// <summary><c>explain</c>: replays a recording, and prints the decisions around a time with their reasons.</summary>
internal static class ExplainCommand
{
    private static readonly Option<FileInfo> Recording = Inputs.Recording();
    private static readonly Option<string> At = new("--at") { Description = "The time, as 12:04 or 12:04:20: of the day where the recording knows it, else since its beginning", HelpName = "TIME", Required = true };
    private static readonly Option<double> Within = new("--within") { Description = "Minutes before and after that time", HelpName = "MINUTES", DefaultValueFactory = _ => 1 };
    private static readonly Option<int?> Bin = new("--bin") { Description = "Only actions of this bin", HelpName = "BIN" };
    private static readonly Option<int?> Server = new("--server") { Description = "Only actions of this server", HelpName = "SERVER" };

    public static Command Create()
    {
        var command = new Command("explain", "Replay a recording and tell why its Director did what it did.") { Recording, At, Within, Bin, Server };
        command.SetAction((arguments, _) => Task.FromResult(RootCommands.Guard(() => Run(arguments))));
        return command;
    }

    private static void Run(ParseResult arguments)
    {
        var recording = Inputs.Read(arguments.GetRequiredValue(Recording));
        if (!TimeSpan.TryParse(arguments.GetRequiredValue(At), CultureInfo.InvariantCulture, out var at))
            throw new RecordingException($"\"{arguments.GetValue(At)}\" is not a time such as 12:04 or 12:04:20.");
        var origin = recording.StartedAt?.TimeOfDay ?? TimeSpan.Zero;
        var within = arguments.GetValue(Within) is >= 0 and <= 1e6 and var minutes
            ? TimeSpan.FromMinutes(minutes)
            : throw new RecordingException(FormattableString.Invariant($"--within is {arguments.GetValue(Within)}; it has to be from 0 to 1e6 minutes."));
        if (arguments.GetValue(Bin) is { } bin && (bin < 0 || bin >= recording.Settings.Bins))
            throw new RecordingException($"There is no bin {bin}; the recording has bins 0 to {recording.Settings.Bins - 1}.");
        foreach (var line in Explanations.Of(recording, step => (OfDay(step, origin) - at).Duration() <= within, arguments.GetValue(Bin), arguments.GetValue(Server)))
            Console.WriteLine(line);
    }

    private static TimeSpan OfDay(TimeSpan step, TimeSpan origin) => TimeSpan.FromTicks((step + origin).Ticks % (origin > TimeSpan.Zero ? TimeSpan.TicksPerDay : long.MaxValue));
}

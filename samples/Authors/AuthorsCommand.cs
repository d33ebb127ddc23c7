using System.CommandLine;
using Authors.Making;
using Authors.Replay;

namespace Authors;

/// <summary>Defines the program's command line, and runs the replay that it asks for.</summary>
internal static class AuthorsCommand
{
    private static readonly Option<DirectoryInfo> Histories = new("--histories")
    {
        Description = "Folder of editing histories (*.json, *.json.gz)",
        HelpName = "DIR",
        DefaultValueFactory = _ => new DirectoryInfo(Path.Combine(AppContext.BaseDirectory, "histories")),
    };

    private static readonly Option<Uri> Service = new("--url")
    {
        Description = "Address of the service",
        HelpName = "URL",
        DefaultValueFactory = _ => new Uri("http://127.0.0.1:5080/"),
        CustomParser = argument => Arguments.Parse(argument, ParseAddress),
    };

    private static readonly Option<Pace> Speed = new("--speed")
    {
        Description = "Times the recorded speed, or max (the default): each keystroke as soon as the last is acknowledged",
        HelpName = "10|max",
        CustomParser = argument => Arguments.Parse(argument, Pace.Parse),
    };

    private static readonly Option<int?> Keystrokes = new("--keystrokes")
    {
        Description = "Make at most so many keystrokes of each history",
        HelpName = "N",
        CustomParser = argument => Arguments.Parse<int?>(argument, text => Arguments.ParseCount(text)),
    };

    private static readonly Option<bool> Verify = new("--verify")
    {
        Description = "Write nothing: only compare what the service has, after a restart, say",
    };

    private static readonly Option<int> Patience = new("--patience")
    {
        Description = "Seconds for which a request is repeated that gets no answer, 503 or 504",
        HelpName = "S",
        DefaultValueFactory = _ => 60,
        CustomParser = argument => Arguments.Parse(argument, Arguments.ParseCount),
    };

    public static RootCommand Create()
    {
        var command = new RootCommand("Writes documents again, keystroke by keystroke as their histories tell, each by an author of its own, on a running SectionedDocuments.")
        {
            Histories, Service, Speed, Keystrokes, Verify, Patience, MakeCommand.Create(),
        };
        command.SetAction(RunAsync);
        return command;
    }

    private static async Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var options = new ReplayOptions(
            arguments.GetRequiredValue(Histories),
            arguments.GetRequiredValue(Service),
            arguments.GetValue(Speed),
            arguments.GetValue(Keystrokes),
            arguments.GetValue(Verify),
            TimeSpan.FromSeconds(arguments.GetValue(Patience)));
        try
        {
            return await Replayer.RunAsync(options, Console.Out, cancellationToken) ? 0 : 1;
        }
        catch (AuthorsException error)
        {
            await Console.Error.WriteLineAsync($"Authors: {error.Message}");
            return 2;
        }
        catch (OperationCanceledException)
        {
            await Console.Error.WriteLineAsync("Authors: stopped.");
            return 130;
        }
    }

    private static Uri ParseAddress(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out var address) && (address.Scheme is "http" or "https")
            ? new Uri(text.TrimEnd('/') + "/")
            : throw new FormatException($"The address is an http URL, not \"{text}\".");
}

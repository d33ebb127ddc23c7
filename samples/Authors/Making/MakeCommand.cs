using System.CommandLine;
using System.Globalization;
using Authors.Editing;

namespace Authors.Making;

/// <summary>The command <c>make</c>: generates histories of any length, for use where there are no recorded histories.</summary>
internal static class MakeCommand
{
    private const int DefaultAuthors = 5;
    private const int DefaultKeystrokes = 150_000;

    private static readonly Option<DirectoryInfo> Folder = new("--folder") { Description = "Where the histories go; made if it is missing", HelpName = "DIR", Required = true };

    private static readonly Option<int> Seed = new("--seed") { Description = "The same seed makes the same histories", HelpName = "N", DefaultValueFactory = _ => 1 };

    private static readonly Option<int> Count = CountOption("--authors", "How many authors, each with a history of its own", DefaultAuthors, 1_000);

    private static readonly Option<int> Keystrokes = CountOption("--keystrokes", "How many keystrokes each author makes", DefaultKeystrokes, 10_000_000);

    public static Command Create()
    {
        var command = new Command("make", "Makes editing histories that look like people's, of any length.") { Folder, Seed, Count, Keystrokes };
        command.SetAction(RunAsync);
        return command;
    }

    private static async Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var (folder, seed, keystrokes) = (arguments.GetRequiredValue(Folder), arguments.GetValue(Seed), arguments.GetValue(Keystrokes));
        try
        {
            folder.Create();
            for (var author = 1; author <= arguments.GetValue(Count); author++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                var history = Typist.Write(string.Create(CultureInfo.InvariantCulture, $"author-{author}"), SeedOf(seed, author), keystrokes);
                var file = new FileInfo(Path.Combine(folder.FullName, history.Name + ".json.gz"));
                HistoryFile.Write(history, file);
                await Console.Out.WriteLineAsync($"{file.FullName}: {keystrokes:N0} keystrokes, a text of {history.EndContent.Length:N0} characters");
            }

            return 0;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"Authors: {error.Message}");
            return 2;
        }
    }

    /// <summary>The seed of an author. It differs from the other authors' seeds, and is the same in every process.</summary>
    private static int SeedOf(int seed, int author) => unchecked((seed * 31_337) + author);

    private static Option<int> CountOption(string name, string description, int usual, int most) => new(name)
    {
        Description = description,
        HelpName = "N",
        DefaultValueFactory = _ => usual,
        CustomParser = argument => Arguments.Parse(argument, text => Arguments.ParseCount(text, 1, most)),
    };
}

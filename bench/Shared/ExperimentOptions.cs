using System.CommandLine;

namespace Stout.Experiments;

/// <summary>The options that each program of experiments has, and the end of its command.</summary>
internal static class ExperimentOptions
{
    public static Option<DirectoryInfo> Out() => new("--out")
    {
        Description = "Folder for tables, plots and pages",
        HelpName = "DIR",
        DefaultValueFactory = _ => new DirectoryInfo("artifacts/experiments"),
    };

    public static Option<bool> AsJson() => new("--json") { Description = "Print the summary as one JSON object on standard output" };

    public static Option<FileInfo?> Comparators(string experiment) => new("--comparators")
    {
        Description = $"File in which {experiment} keeps what the comparators came to, for a next run with the same seed and the same model",
        HelpName = "FILE",
    };

    /// <summary>Runs experiments. An error that the user can mend becomes one line on standard error and exit code 1.</summary>
    /// <param name="run">The experiments.</param>
    /// <param name="isTold">Whether an error is one that the user can mend, beside <see cref="ExperimentException"/>.</param>
    public static async Task<int> GuardAsync(Func<Task> run, Predicate<Exception> isTold)
    {
        try
        {
            await run();
            return 0;
        }
        catch (OperationCanceledException)
        {
            await Console.Error.WriteLineAsync("Stopped. What was finished is kept.");
            return 130;
        }
        catch (Exception error) when (error is ExperimentException || isTold(error))
        {
            await Console.Error.WriteLineAsync(error.Message);
            return 1;
        }
    }
}

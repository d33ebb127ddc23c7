using System.CommandLine;
using Stout.Experiments;
using Stout.Experiments.Output;

namespace Stout.Director.Experiments;

/// <summary>The program's root command: its options, and the run of the experiments that the command line names.</summary>
internal static class DirectorCommand
{
    private static readonly Argument<string[]> Names = new("experiment")
    {
        Description = $"Some of {string.Join(", ", DirectorCatalogue.All.Select(known => known.Name))}",
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly Option<int> Seed = new("--seed")
    {
        Description = "Seed of all that is random; the seed of director-loads is by default a hash of the planner's sources",
        HelpName = "N",
        DefaultValueFactory = _ => 1,
    };

    private static readonly Option<int> Rounds = new("--rounds")
    {
        Description = "The number of seeds of each scenario; with 1 the experiment chooses",
        HelpName = "N",
        DefaultValueFactory = _ => 1,
    };

    private static readonly Option<int> Count = new("--count") { Description = "The number of loads of director-loads", HelpName = "N", DefaultValueFactory = _ => 300 };

    private static readonly Option<FileInfo?> Comparators = new("--comparators")
    {
        Description = "File in which director-loads keeps what the comparators came to, for a next run with the same seed and the same simulator",
        HelpName = "FILE",
    };

    private static readonly Option<FileInfo?> Load = new("--load")
    {
        Description = "Requests per minute (shared/data/load/worldcup98.csv.gz, by default looked for in the folders above)",
        HelpName = "FILE",
    };

    private static readonly Option<DirectoryInfo> Out = new("--out")
    {
        Description = "Folder for tables, plots and pages",
        HelpName = "DIR",
        DefaultValueFactory = _ => new DirectoryInfo("artifacts/experiments"),
    };

    private static readonly Option<bool> AsJson = new("--json") { Description = "Print the summary as one JSON object on standard output" };

    public static RootCommand Create()
    {
        Names.AcceptOnlyFromAmong([.. DirectorCatalogue.All.Select(known => known.Name)]);
        var command = new RootCommand("The Director's experiments, on simulated servers in virtual time.") { Names, Seed, Rounds, Count, Comparators, Load, Out, AsJson };
        command.SetAction(RunAsync);
        command.Subcommands.Add(Truth.TruthCommand.Create());
        return command;
    }

    private static async Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var settings = new ExperimentSettings
        {
            Seed = arguments.GetValue(Seed),
            GivenSeed = arguments.GetResult(Seed) is { Implicit: false } ? arguments.GetValue(Seed) : null,
            Seeds = arguments.GetValue(Rounds),
            Count = arguments.GetValue(Count),
            Comparators = arguments.GetValue(Comparators),
            Load = arguments.GetValue(Load),
        };
        try
        {
            foreach (var name in arguments.GetRequiredValue(Names).Distinct())
            {
                using var pool = new WorkPool(Environment.ProcessorCount, cancellationToken);
                await ExperimentRun.FinishAsync(name, pool, DirectorCatalogue.RunAsync(name, settings, pool), new ResultFolder(arguments.GetRequiredValue(Out)), arguments.GetValue(AsJson));
            }

            return 0;
        }
        catch (OperationCanceledException)
        {
            await Console.Error.WriteLineAsync("Stopped. What was finished is kept.");
            return 130;
        }
        catch (Exception error) when (error is ExperimentException or DirectorException)
        {
            await Console.Error.WriteLineAsync(error.Message);
            return 1;
        }
    }
}

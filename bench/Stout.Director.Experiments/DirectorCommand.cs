using System.CommandLine;

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

    private static readonly Option<FileInfo?> Comparators = ExperimentOptions.Comparators("director-loads");

    private static readonly Option<FileInfo?> Load = new("--load")
    {
        Description = "Requests per minute (shared/data/load/worldcup98.csv.gz, by default looked for in the folders above)",
        HelpName = "FILE",
    };

    private static readonly Option<DirectoryInfo> Out = ExperimentOptions.Out();

    private static readonly Option<bool> AsJson = ExperimentOptions.AsJson();

    public static RootCommand Create()
    {
        Names.AcceptOnlyFromAmong([.. DirectorCatalogue.All.Select(known => known.Name)]);
        var command = new RootCommand("The Director's experiments, on simulated servers in virtual time.") { Names, Seed, Rounds, Count, Comparators, Load, Out, AsJson };
        command.SetAction(RunAsync);
        command.Subcommands.Add(Truth.TruthCommand.Create());
        command.Subcommands.Add(Truth.RecordCommand.Create());
        return command;
    }

    private static Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
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
        return ExperimentOptions.GuardAsync(
            async () =>
            {
                foreach (var name in arguments.GetRequiredValue(Names).Distinct())
                {
                    using var pool = new WorkPool(Environment.ProcessorCount, cancellationToken);
                    await ExperimentRun.FinishAsync(name, pool, DirectorCatalogue.RunAsync(name, settings, pool), new ResultFolder(arguments.GetRequiredValue(Out)), arguments.GetValue(AsJson));
                }
            },
            error => error is DirectorException);
    }
}

using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using Authors;
using Stout.Experiments.Experiments;
using Stout.Experiments.Experiments.Goals;
using Stout.Experiments.Laws;
using Stout.Experiments.Live.Stores;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments;

/// <summary>The program's root command: its options, and the run of the experiments that the command line names.</summary>
internal static class ExperimentsCommand
{
    private const string All = "all";

    private static readonly Argument<IReadOnlyList<IExperiment>> Experiment = new("experiment")
    {
        Description = $"{All}, or some of {string.Join(", ", Catalogue.Names)}",
        CustomParser = argument => Parse(argument, _ => ParseExperiments(argument.Tokens.Select(token => token.Value))),
    };

    private static readonly IReadOnlyList<string> StoreNames = [new RunSettings().Store, .. RealStores.Names];

    private static readonly Option<string> Store = new("--store")
    {
        Description = "The store: model, in virtual time, or a real one (connection strings in STOUT_POSTGRES, STOUT_SQLSERVER, STOUT_AZURE_TABLES, STOUT_COSMOS)",
        HelpName = string.Join('|', StoreNames),
        DefaultValueFactory = _ => "model",
        CustomParser = argument => Parse(argument, ParseStore),
    };

    private static readonly Option<StoreKind> Model = new("--model")
    {
        Description = "The kind of store that is modelled",
        HelpName = string.Join('|', StoreKinds.All.Select(kind => kind.Name)),
        DefaultValueFactory = _ => StoreKinds.One,
        CustomParser = argument => Parse(argument, text => StoreKinds.Find(text) ?? throw Unknown(text, StoreKinds.All.Select(kind => kind.Name))),
    };

    private static readonly Option<PacingChoice> Law = new("--law")
    {
        Description = $"The pacing law (by default the library's): {string.Join(", ", LawCatalogue.Names)}",
        HelpName = "NAME",
        DefaultValueFactory = _ => LawCatalogue.Default,
        CustomParser = argument => Parse(argument, text => LawCatalogue.Find(text) ?? throw Unknown(text, LawCatalogue.Names)),
    };

    private static readonly Option<LawScope?> Scope = new("--scope")
    {
        Description = "What one law paces: a lane, as in the library, or a whole process, as in the paper (by default as the experiment has it)",
        HelpName = "lane|process",
    };

    private static readonly Option<double> Rate = new("--rate")
    {
        Description = "Load of point, in requests/s",
        HelpName = "N",
        DefaultValueFactory = _ => 12_000,
    };

    private static readonly Option<int?> Tiers = new("--tiers")
    {
        Description = "Middle tiers of point (by default 32), and on a real store (by default 4)",
        HelpName = "N",
    };

    private static readonly Option<double?> Seconds = new("--seconds")
    {
        Description = "Length of point, in seconds of model time, the first third of which is not measured (by default 60); on a real store of what is measured of each run (by default 5)",
        HelpName = "N",
    };

    private static readonly Option<int?> Rounds = new("--rounds")
    {
        Description = "How often each scenario is run, each time with another seed: on a real store in turn with the others (by default 5 times), on the model where one seed may be chance (by default once)",
        HelpName = "N",
        Validators =
        {
            static result =>
            {
                if (result.GetValueOrDefault<int?>() < 1)
                    result.AddError("--rounds is at least 1.");
            },
        },
    };

    private static readonly Option<int> Documents = new("--documents")
    {
        Description = "Documents on a real store, each of which is written once before the first run: fewer for a store that is slow or paid by the write",
        HelpName = "N",
        DefaultValueFactory = _ => new LiveSettings().Documents,
    };

    private static readonly Option<int?> ServerProcess = new("--server-process")
    {
        Description = "The first process of a PostgreSQL server on this machine that may be stopped for a hiccup (by default requests are held before they reach the server)",
        HelpName = "ID",
    };

    private static readonly Option<double?> Share = new("--share")
    {
        Description = "The only load of laws on a real store, in % of what the store sustains (by default 10, 50 and 90)",
        HelpName = "%",
    };

    private static readonly Option<DirectoryInfo> Histories = new Option<DirectoryInfo>("--histories")
    {
        Description = "Folder of editing histories for editing, in the format of editing-traces (by default the small ones of the sample)",
        HelpName = "DIR",
        DefaultValueFactory = _ => new RunSettings().Histories,
    }.AcceptExistingOnly();

    private static readonly Option<DirectoryInfo> Out = ExperimentOptions.Out();

    private static readonly Option<int> Seed = new("--seed")
    {
        Description = "Seed of all that is random; 0x and eight hexadecimal digits stand for any 32 bits",
        HelpName = "N",
        DefaultValueFactory = _ => 1,
        CustomParser = argument => Parse(argument, ParseSeed),
    };

    private static readonly Option<bool> Waiting = new("--waiting")
    {
        Description = "The clients of goals --random wait for their replies, on stores that are slower after idle time; the ratio is that of the completed calls",
    };

    private static readonly Option<bool> Random = new("--random")
    {
        Description = "goals on stores, loads and clients drawn at random, over the best of fixed intervals, no batching and windows 1, 2 and 4",
    };

    private static readonly Option<int> Count = new("--count")
    {
        Description = "How many cells goals --random draws",
        HelpName = "N",
        DefaultValueFactory = _ => 300,
    };

    private static readonly Option<bool> Drift = new("--drift")
    {
        Description = "goals --random runs each cell for 900 s of model time and compares the thirds",
    };

    private static readonly Option<FileInfo?> Comparators = ExperimentOptions.Comparators("goals --random");

    private static readonly Option<bool> AsJson = ExperimentOptions.AsJson();

    public static RootCommand Create()
    {
        var command = new RootCommand("The paper's evaluation, and ours beyond it.") { Experiment, Store, Model, Law, Scope, Rate, Tiers, Seconds, Rounds, Documents, ServerProcess, Share, Histories, Out, Seed, Random, Waiting, Count, Drift, Comparators, AsJson };
        command.SetAction(RunAsync);
        command.Subcommands.Add(ReportCommand.Create(Out));
        return command;
    }

    private static Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var settings = new RunSettings
        {
            Store = arguments.GetRequiredValue(Store),
            Model = arguments.GetRequiredValue(Model),
            Law = arguments.GetRequiredValue(Law),
            Scope = arguments.GetValue(Scope),
            Seed = arguments.GetValue(Seed),
            Seeds = arguments.GetValue(Rounds) ?? 1,
            Histories = arguments.GetRequiredValue(Histories),
            Random = arguments.GetValue(Random) ? new RandomSettings(arguments.GetValue(Count), arguments.GetValue(Drift), arguments.GetValue(Comparators), arguments.GetValue(Waiting)) : null,
            Point = new PointSettings(arguments.GetValue(Rate), arguments.GetValue(Tiers) ?? 32, arguments.GetValue(Seconds) ?? 60),
            Live = LiveOf(arguments),
        };
        // A real store is used with one store partition. The other settings of the model have no effect there.
        if (!settings.OnModel)
            settings = settings with { Model = StoreKinds.One with { Partitions = 1 } };
        return ExperimentOptions.GuardAsync(
            async () =>
            {
                await using var session = new Session(settings, new ResultFolder(arguments.GetRequiredValue(Out)), arguments.GetValue(AsJson));
                foreach (var experiment in Chosen(arguments.GetRequiredValue(Experiment), settings))
                    await session.RunAsync(experiment, cancellationToken);
            },
            error => error is AuthorsException or StoutException);
    }

    private static LiveSettings LiveOf(ParseResult arguments)
    {
        var usual = new LiveSettings();
        return usual with
        {
            Rounds = arguments.GetValue(Rounds) ?? usual.Rounds,
            Documents = arguments.GetValue(Documents),
            Tiers = arguments.GetValue(Tiers) ?? usual.Tiers,
            Measured = arguments.GetValue(Seconds) is { } seconds ? TimeSpan.FromSeconds(seconds) : usual.Measured,
            ServerProcess = arguments.GetValue(ServerProcess),
            Share = arguments.GetValue(Share) / 100,
        };
    }

    // On a real store, leaves out the experiments that need the model. If no experiment is left, that is an error.
    private static IEnumerable<IExperiment> Chosen(IReadOnlyList<IExperiment> experiments, RunSettings settings)
    {
        if (settings.OnModel)
            return experiments;
        var possible = experiments.Where(experiment => experiment.OnRealStores != RealStoreUse.None).ToList();
        return possible.Count > 0 ? possible : throw new ExperimentException($"{experiments[0].Name} runs on the model only.");
    }

    private static IReadOnlyList<IExperiment> ParseExperiments(IEnumerable<string> texts) => [.. texts.SelectMany(ParseExperiment).Distinct()];

    private static IReadOnlyList<IExperiment> ParseExperiment(string text) =>
        text == All ? Catalogue.All : [Catalogue.Find(text) ?? throw Unknown(text, Catalogue.Names.Append(All))];

    private static string ParseStore(string text) => StoreNames.Contains(text) ? text : throw Unknown(text, StoreNames);

    private static int ParseSeed(string text) => text.StartsWith("0x", StringComparison.Ordinal)
        ? unchecked((int)uint.Parse(text.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture))
        : int.Parse(text, CultureInfo.InvariantCulture);

    private static FormatException Unknown(string text, IEnumerable<string> known) => new($"\"{text}\" is none of {string.Join(", ", known)}.");

    private static T? Parse<T>(ArgumentResult argument, Func<string, T> parse)
    {
        try
        {
            return parse(argument.Tokens[0].Value);
        }
        catch (FormatException error)
        {
            argument.AddError(error.Message);
            return default;
        }
    }
}

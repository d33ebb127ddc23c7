using System.CommandLine;
using Spectre.Console;
using Stout.Director.Models;
using Stout.Director.Tool.Answers;
using Stout.Director.Tool.Fitting;
using Stout.Director.Tool.Histories;
using Stout.Director.Tool.Pages;

namespace Stout.Director.Tool.Commands;

/// <summary><c>model</c> and <c>backtest</c>, and the part of <c>whatif</c> that reads a history.</summary>
internal static class HistoryCommands
{
    public static readonly Option<FileInfo?> History = new("--history") { Description = HistoryWords, HelpName = "FILE" };
    public static readonly Option<string[]> Set = new("--set") { Description = "What holds in all answers: boot=30s, charge=1m, least=1, most=50, scale=1, price=0.1 (an hour), type=NAME", HelpName = "NAME=VALUE", AllowMultipleArgumentsPerToken = true };
    public static readonly Option<string[]> Vary = new("--vary") { Description = "Further answers that differ in one thing: those of --set, and slo=\"99 % of reads under 50 ms\"", HelpName = "NAME=VALUE", AllowMultipleArgumentsPerToken = true };
    public static readonly Option<FileInfo?> Json = new("--json") { Description = "Write the answers as JSON, too", HelpName = "FILE" };
    public static readonly Option<double> BinBytes = new("--bin-bytes") { Description = "The bytes of a bin, which a move copies (by default none)", HelpName = "BYTES", DefaultValueFactory = _ => 0 };

    private const string HistoryWords = "A history of a service, which import has made";
    private const int RedirectedWidth = 200;
    private const string OwnServer = "as recorded";

    private static readonly Option<FileInfo> Needed = new("--history") { Description = HistoryWords, HelpName = "FILE", Required = true };
    private static readonly Option<FileInfo> Out = new("--out") { Description = "The model file to write", HelpName = "FILE", Required = true };
    private static readonly Option<string> Type = new("--type") { Description = "The server type's name", HelpName = "NAME", DefaultValueFactory = _ => "server" };
    private static readonly Option<double> Price = new("--price") { Description = "Price of one charge interval", HelpName = "PRICE", DefaultValueFactory = _ => 1 };
    private static readonly Option<string?> Last = new("--last") { Description = "The part at the end that is predicted (by default the last week of two or more, else the last quarter)", HelpName = "DURATION" };
    private static readonly Option<string?> Slo = Inputs.Slo();
    private static readonly Option<int> Seed = Inputs.Seed();

    public static Command CreateModel()
    {
        var command = new Command("model", "Make a server type's model of a history.") { Needed, Out, Slo, Type, Price };
        command.SetAction((arguments, _) => Task.FromResult(RootCommands.Guard(() => MakeModel(arguments))));
        return command;
    }

    public static Command CreateBacktest()
    {
        var command = new Command("backtest", "Tell how well the first part of a history predicts its last part.") { Needed, Slo, Last, Seed, Json };
        command.SetAction((arguments, cancellationToken) => Task.FromResult(RootCommands.Guard(() => MakeBacktest(arguments, cancellationToken))));
        return command;
    }

    /// <summary>Answers what-if about a history: a table, a page and JSON.</summary>
    public static void Answer(FileInfo file, ServiceObjective objective, IReadOnlyList<ModelFile> types, FileInfo page, int seed, ParseResult arguments, CancellationToken cancellationToken)
    {
        var history = HistoryFile.Read(file);
        var kinds = Kinds(history, types);
        var situation = new Situation { Objective = objective, Boot = TimeSpan.FromMinutes(1), Charge = TimeSpan.FromMinutes(1), Least = 1, Most = int.MaxValue };
        foreach (var text in arguments.GetValue(Set) ?? [])
            situation = SituationParser.Vary(situation, text, kinds) with { Words = "" };
        // Every further type is a variation.
        var varied = (arguments.GetValue(Vary) ?? []).Concat(kinds.Index().Where(kind => kind.Index != situation.Type).Select(kind => $"type={kind.Item.Name}")).Distinct();
        IReadOnlyList<Situation> situations = [situation, .. varied.Select(text => SituationParser.Vary(situation, text, kinds))];
        var (backtest, noBacktest) = TryBacktest(history, objective, seed, cancellationToken);
        var sets = Progress.Show("simulating the answers", progress => AnswerSet.Make(history, kinds, situations, (long)arguments.GetValue(BinBytes), seed, progress, cancellationToken));
        foreach (var set in sets)
            Print(set);
        Console.WriteLine(backtest is not null ? FitWords.Of(backtest) : $"There is no backtest. {noBacktest}");
        File.WriteAllText(page.FullName, AnswersPage.Of(history, sets, backtest, noBacktest));
        Console.WriteLine(page.FullName);
        if (arguments.GetValue(Json) is { } json)
        {
            File.WriteAllText(json.FullName, AnswersJson.Of(history, sets, backtest));
            Console.WriteLine(json.FullName);
        }
    }

    private static List<ServerKind> Kinds(ServiceHistory history, IReadOnlyList<ModelFile> types)
    {
        var kinds = types.Select(model => new ServerKind(model.Type.Name, null, model, history.StepSeconds, null)).ToList();
        if (history.Servers.Any(server => server.Latency is not null))
        {
            var fit = ProductionTrainer.Train(history);
            kinds.Insert(0, new ServerKind(OwnServer, fit, null, history.StepSeconds, UtilizationLine.Of(history, fit.WriteCost)));
        }

        return kinds.Count > 0 ? kinds : throw new HistoryException("The history has no latency: give a model of the servers with --types.");
    }

    private static (Backtest? Backtest, string? Why) TryBacktest(ServiceHistory history, ServiceObjective objective, int seed, CancellationToken cancellationToken)
    {
        try
        {
            return (Backtest.Make(history, objective, Backtest.LastSteps(history), seed, cancellationToken), null);
        }
        catch (DirectorException error)
        {
            return (null, error.Message);
        }
    }

    private static void MakeModel(ParseResult arguments)
    {
        var history = HistoryFile.Read(arguments.GetRequiredValue(Needed));
        var objective = Inputs.Objective(arguments.GetValue(Slo));
        var fit = ProductionTrainer.Train(history);
        var file = arguments.GetRequiredValue(Out);
        var model = FittedModel.Of(fit, fit.Best, objective, arguments.GetRequiredValue(Type), arguments.GetValue(Price), history.StepSeconds);
        using (var stream = file.Create())
            model.Write(stream);
        Console.WriteLine(FitWords.Of(fit, objective));
        Console.WriteLine(file.FullName);
    }

    private static void MakeBacktest(ParseResult arguments, CancellationToken cancellationToken)
    {
        var history = HistoryFile.Read(arguments.GetRequiredValue(Needed));
        var steps = arguments.GetValue(Last) is { } last ? (int)Math.Round(Durations.Parse(last, Last.Name) / history.Step) : Backtest.LastSteps(history);
        var backtest = Backtest.Make(history, Inputs.Objective(arguments.GetValue(Slo)), steps, arguments.GetValue(Seed), cancellationToken);
        Console.WriteLine(FitWords.Of(backtest));
        if (arguments.GetValue(Json) is { } json)
        {
            File.WriteAllText(json.FullName, AnswersJson.Of(backtest).ToJsonString() + "\n");
            Console.WriteLine(json.FullName);
        }
    }

    private static void Print(AnswerSet set)
    {
        if (set.Situation.Words.Length > 0)
            Console.WriteLine(set.Situation.Words);
        var table = new Spectre.Console.Table();
        foreach (var column in AnswerTable.Columns)
            table.AddColumn(column == AnswerTable.Columns[0] ? new TableColumn(column) : new TableColumn(column).RightAligned());
        if (set.Measured is { } measured)
            table.AddRow([.. AnswerTable.Cells(measured).Select(Markup.Escape)]);
        foreach (var answer in set.Answers)
            table.AddRow([.. AnswerTable.Cells(answer).Select(Markup.Escape)]);
        // A table in a file or a pipe need not fit 80 columns.
        if (!AnsiConsole.Profile.Out.IsTerminal)
            AnsiConsole.Profile.Width = RedirectedWidth;
        AnsiConsole.Write(table);
    }
}

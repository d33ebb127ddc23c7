using System.CommandLine;
using System.Globalization;
using Spectre.Console;
using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Training;
using Stout.Director.Tool.WhatIf;

namespace Stout.Director.Tool.Commands;

/// <summary><c>whatif</c>: simulates a recorded load under other policies, objectives, server types and prices.</summary>
internal static class WhatIfCommand
{
    private static readonly Option<FileInfo?> RecordingFile = new("--recording") { Description = "A recording of a Director's inputs", HelpName = "FILE" };
    private static readonly Option<string?> Slo = Inputs.Slo();
    private static readonly Option<FileInfo[]> Types = new("--types") { Description = "Model files of the server types to consider (by default the recorded Director's own, each as slow as the paper's m1.small at the same share of its boundary)", HelpName = "FILE", AllowMultipleArgumentsPerToken = true };
    private static readonly Option<string[]> Price = new("--price") { Description = "Price of one charge interval by server type, as m1.small=0.08", HelpName = "TYPE=PRICE", AllowMultipleArgumentsPerToken = true };
    private static readonly Option<FileInfo?> Page = new("--page") { Description = "The HTML page to write (by default whatif.html)", HelpName = "FILE" };
    private static readonly Option<int> Seed = Inputs.Seed();

    public static Command Create()
    {
        var command = new Command("whatif", "Compare policies, objectives, server types and prices on a recorded load.") { RecordingFile, HistoryCommands.History, Slo, Types, Price, HistoryCommands.Set, HistoryCommands.Vary, HistoryCommands.BinBytes, Page, HistoryCommands.Json, Seed };
        command.SetAction((arguments, cancellationToken) => Task.FromResult(RootCommands.Guard(() => Run(arguments, cancellationToken))));
        return command;
    }

    private static void Run(ParseResult arguments, CancellationToken cancellationToken)
    {
        if (arguments.GetValue(HistoryCommands.History) is { } history)
        {
            HistoryCommands.Answer(
                history, Inputs.Objective(arguments.GetValue(Slo)), [.. (arguments.GetValue(Types) ?? []).Select(Inputs.Model)], arguments.GetValue(Page) ?? new FileInfo("whatif.html"),
                arguments.GetValue(Seed), arguments, cancellationToken);
            return;
        }

        var recording = Inputs.Read(arguments.GetValue(RecordingFile) ?? throw new OptionException("whatif needs --recording or --history."));
        var objective = Inputs.Objective(arguments.GetValue(Slo));
        var files = arguments.GetValue(Types) ?? [];
        var prices = Prices(arguments.GetValue(Price) ?? []);
        IReadOnlyList<ModelFile> models = files.Length > 0 ? [.. files.Select(Inputs.Model)] : Recorded(recording);
        if (models.CountBy(model => model.Type.Name).FirstOrDefault(one => one.Value > 1) is { Key: not null } twice)
            throw new ModelException($"{twice.Value} model files describe servers of type {twice.Key}.");
        var unknown = prices.Keys.FirstOrDefault(name => models.All(model => model.Type.Name != name));
        if (unknown is not null)
            throw new ModelException($"A price is given for {unknown}; the server types are {string.Join(", ", models.Select(model => model.Type.Name))}.");
        models = [.. models.Select(model => model with { Type = model.Type with { Price = prices.GetValueOrDefault(model.Type.Name, model.Type.Price) } })];
        var comparison = Progress.Show("simulating the alternatives", progress => Comparison.Make(recording, objective, models, arguments.GetValue(Seed), progress, cancellationToken));
        if (comparison.Workload.Gaps > TimeSpan.Zero)
            Console.Error.WriteLine(FormattableString.Invariant($"For {comparison.Workload.Gaps.TotalMinutes:0.#} min the recording has no plan. The load after each such gap is taken to have held in it."));
        Print(comparison);
        var page = arguments.GetValue(Page) ?? new FileInfo("whatif.html");
        File.WriteAllText(page.FullName, ComparisonPage.Of(comparison));
        Console.WriteLine(page.FullName);
    }

    // A recording has the boundaries of its server types, but neither their latencies nor the objective that they were trained for.
    private static ModelFile[] Recorded(Recording recording)
    {
        Console.Error.WriteLine($"Server types are those of the recording; latencies are taken to be those of m1.small, trained for \"{TrainedModels.SmallInstance.Objective}\". --types names model files with their own.");
        return [.. recording.Settings.Types.Select(type => TrainedModels.SmallInstance with { Type = type })];
    }

    private static Dictionary<string, double> Prices(string[] texts)
    {
        var prices = new Dictionary<string, double>();
        foreach (var text in texts)
        {
            var parts = text.Split('=');
            if (parts.Length != 2 || !double.TryParse(parts[1], NumberStyles.Float, CultureInfo.InvariantCulture, out var price) || !(price >= 0 && double.IsFinite(price)))
                throw new ModelException($"\"{text}\" is not a type and a price, such as m1.small=0.08.");
            prices[parts[0]] = price;
        }

        return prices;
    }

    private static void Print(Comparison comparison)
    {
        var table = new Spectre.Console.Table();
        foreach (var column in Comparison.Columns)
            table.AddColumn(column == Comparison.Columns[0] ? new TableColumn(column) : new TableColumn(column).RightAligned());
        foreach (var row in comparison.Rows)
            table.AddRow([.. row.Cells.Select(Markup.Escape)]);
        AnsiConsole.Write(table);
    }
}

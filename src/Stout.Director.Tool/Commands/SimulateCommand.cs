using System.CommandLine;
using System.Globalization;
using Spectre.Console;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tool.Commands;

/// <summary><c>simulate</c>: runs one of the paper's experiments under a policy.</summary>
internal static class SimulateCommand
{
    private static readonly Option<string> Scenario = new Option<string>("--scenario") { Description = "The experiment", DefaultValueFactory = _ => "hotspot" }.AcceptOnlyFromAmong("hotspot", "diurnal");
    private static readonly Option<string> Policy = new Option<string>("--policy") { Description = "The policy", DefaultValueFactory = _ => "default" }.AcceptOnlyFromAmong("default", "paper");
    private static readonly Option<double?> Overprovisioning = new("--overprovisioning") { Description = "The share by which loads are taken higher than measured (by default 0.1)", HelpName = "SHARE" };
    private static readonly Option<bool> Exact = new("--exact") { Description = "Simulate every request instead of a flow" };
    private static readonly Option<FileInfo?> Model = new("--model") { Description = "The model file (by default the paper's m1.small)", HelpName = "FILE" };
    private static readonly Option<FileInfo?> Load = new("--load") { Description = "Requests per minute for diurnal: a CSV file with the columns minute,requests, plain or gzipped", HelpName = "FILE" };
    private static readonly Option<DateTime?> Day = new("--day") { Description = "The day of the load file (by default its first whole day)", HelpName = "DATE" };
    private static readonly Option<FileInfo?> Record = new("--record") { Description = "Record the Director's inputs into this file", HelpName = "FILE" };
    private static readonly Option<int> Seed = Inputs.Seed();

    public static Command Create()
    {
        var command = new Command("simulate", "Run one of the paper's experiments on simulated servers.") { Scenario, Policy, Overprovisioning, Exact, Model, Load, Day, Record, Seed };
        command.SetAction((arguments, cancellationToken) => Task.FromResult(RootCommands.Guard(() => Run(arguments, cancellationToken))));
        return command;
    }

    private static void Run(ParseResult arguments, CancellationToken cancellationToken)
    {
        var policy = arguments.GetRequiredValue(Policy) == "paper" ? DirectorPolicy.Paper() : DirectorPolicy.Default;
        policy = policy with { Overprovisioning = arguments.GetValue(Overprovisioning) ?? policy.Overprovisioning };
        policy.Check();
        var model = Inputs.Model(arguments.GetValue(Model));
        var mode = arguments.GetValue(Exact) ? SimulationMode.Exact : SimulationMode.Flow;
        var seed = arguments.GetValue(Seed);
        var name = arguments.GetRequiredValue(Scenario);
        if (name == "diurnal" && arguments.GetValue(Load) is null)
            throw new LoadFileException("diurnal needs --load: a CSV file with requests per minute.");
        SimulationSettings Settings(IDirectorRecorder? recorder) => name == "hotspot"
            ? PaperScenarios.Hotspot(model, policy, seed, mode, recorder)
            : PaperScenarios.Diurnal(model, Means(arguments.GetValue(Load)!, arguments.GetValue(Day)), policy, seed, mode, recorder);

        if (arguments.GetValue(Record) is not { } file)
        {
            Print(Simulate(Settings(null), cancellationToken));
            return;
        }

        using var stream = file.Create();
        SimulationResult result;
        using (var writer = new RecordingWriter(stream, PaperScenarios.Settings(model, policy, isHotspot: name == "hotspot")))
            result = Simulate(Settings(writer), cancellationToken);
        Print(result);
        Console.WriteLine(file.FullName);
    }

    private static SimulationResult Simulate(SimulationSettings settings, CancellationToken cancellationToken) =>
        Progress.Show("simulating", progress => SimulationRun.Run(settings, progress, cancellationToken));

    private static IReadOnlyList<double> Means(FileInfo file, DateTime? day)
    {
        var trace = LoadTrace.Read(file.FullName);
        var first = trace.First == trace.First.Date ? trace.First : trace.First.Date.AddDays(1);
        return trace.Means(day is { } date ? DateTime.SpecifyKind(date.Date, DateTimeKind.Utc) : first, 1440, 5);
    }

    private static void Print(SimulationResult result)
    {
        var table = new Spectre.Console.Table().AddColumn("figure").AddColumn(new TableColumn("value").RightAligned());
        foreach (var (words, interval) in new[] { ("5 min", 5.0), ("1 min", 1), ("20 s", 1 / 3.0) })
            table.AddRow($"attained percentile over {words}", result.AttainedPercentile(TimeSpan.FromMinutes(interval)) is > 0 and var attained ? attained.ToString(CultureInfo.InvariantCulture) : "below 80");
        table.AddRow("server units", result.Units.ToString(CultureInfo.InvariantCulture));
        table.AddRow("most servers", result.Intervals.Max(interval => interval.Servers).ToString(CultureInfo.InvariantCulture));
        table.AddRow("bins moved or copied", result.Moves.ToString(CultureInfo.InvariantCulture));
        table.AddRow("servers leased, released", $"{result.Leases}, {result.Releases}");
        AnsiConsole.Write(table);
    }
}

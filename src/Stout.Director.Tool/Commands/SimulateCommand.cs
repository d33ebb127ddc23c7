using System.CommandLine;
using System.Globalization;
using Spectre.Console;
using Stout.Director.Models;
using Stout.Director.Recordings;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;
using Stout.Director.Simulation.Workloads;
using Stout.Director.Tool.Pages;

namespace Stout.Director.Tool.Commands;

/// <summary><c>simulate</c>: runs one of the paper's experiments, or a load of one's own, under a policy.</summary>
internal static class SimulateCommand
{
    private static readonly Option<string> Scenario = new Option<string>("--scenario")
    {
        Description = "The paper's hotspot, the paper's diurnal experiment (--load scaled to a peak of 12 servers, a day in 2 h), or load (--load as it is, in real time)",
        DefaultValueFactory = _ => "hotspot",
    }.AcceptOnlyFromAmong("hotspot", "diurnal", "load");

    private static readonly Option<string> Policy = new Option<string>("--policy") { Description = "The policy", DefaultValueFactory = _ => "default" }.AcceptOnlyFromAmong("default", "paper");
    private static readonly Option<double?> Overprovisioning = new("--overprovisioning") { Description = "The share by which loads are taken higher than measured (by default 0.1)", HelpName = "SHARE" };
    private static readonly Option<bool> Exact = new("--exact") { Description = "Simulate every request instead of a flow" };
    private static readonly Option<FileInfo?> Model = new("--model") { Description = "The model file, by which servers decide and behave (by default the paper's m1.small)", HelpName = "FILE" };
    private static readonly Option<FileInfo?> Load = new("--load") { Description = "Requests per minute for diurnal and load: a CSV file with the columns minute,requests, plain or gzipped", HelpName = "FILE" };
    private static readonly Option<DateTime?> Day = new("--day") { Description = "The day of the load file (by default its first whole day; for load, the whole file)", HelpName = "DATE" };
    private static readonly Option<FileInfo?> Record = new("--record") { Description = "Record the Director's inputs into this file", HelpName = "FILE" };
    private static readonly Option<int> Seed = Inputs.Seed();

    public static Command Create()
    {
        var command = new Command("simulate", "Run one of the paper's experiments, or a load of your own, on simulated servers.") { Scenario, Policy, Overprovisioning, Exact, Model, Load, Day, Record, Seed };
        command.SetAction((arguments, cancellationToken) => Task.FromResult(RootCommands.Guard(() => Run(arguments, cancellationToken))));
        return command;
    }

    private static void Run(ParseResult arguments, CancellationToken cancellationToken)
    {
        var policy = arguments.GetRequiredValue(Policy) == "paper" ? DirectorPolicy.Paper() : DirectorPolicy.Default;
        policy = policy with { Overprovisioning = arguments.GetValue(Overprovisioning) ?? policy.Overprovisioning };
        policy.Check();
        var model = Inputs.Model(arguments.GetValue(Model));
        var objective = ServiceObjective.Parse(model.Objective);
        // Reads go to as many servers as the policy says, and the boundary is that for as many.
        model = model.For(objective, policy.ReadFanOut);
        policy = policy with { SlowBudget = objective.SlowBudget };
        var mode = arguments.GetValue(Exact) ? SimulationMode.Exact : SimulationMode.Flow;
        var seed = arguments.GetValue(Seed);
        var name = arguments.GetRequiredValue(Scenario);
        if ((arguments.GetValue(Load) is null) != (name == "hotspot") || (arguments.GetValue(Day) is not null && name == "hotspot"))
            throw new LoadFileException(name == "hotspot" ? "The hotspot has a load of its own: --load and --day belong to diurnal and load." : $"{name} needs --load: a CSV file with requests per minute.");
        var own = name == "load" ? new DirectorSettings(policy, [model.Type], BeyondScenarios.Bins) : PaperScenarios.Settings(model, policy, isHotspot: name == "hotspot");
        SimulationSettings Settings(IDirectorRecorder? recorder) => name switch
        {
            "hotspot" => PaperScenarios.Hotspot(model, policy, seed, mode, recorder),
            "diurnal" => PaperScenarios.Diurnal(model, Means(arguments.GetValue(Load)!, arguments.GetValue(Day)), policy, seed, mode, recorder),
            _ => BeyondScenarios.AsItIs(model, Requests(arguments.GetValue(Load)!, arguments.GetValue(Day)), own, seed, mode, recorder),
        };

        if (arguments.GetValue(Record) is not { } file)
        {
            Print(Simulate(Settings(null), cancellationToken), model);
            return;
        }

        using var stream = file.Create();
        SimulationResult result;
        using (var writer = new RecordingWriter(stream, own))
            result = Simulate(Settings(writer), cancellationToken);
        Print(result, model);
        Console.WriteLine(file.FullName);
    }

    private static SimulationResult Simulate(SimulationSettings settings, CancellationToken cancellationToken) =>
        Progress.Show("simulating", progress => SimulationRun.Run(settings, progress, cancellationToken));

    private static IReadOnlyList<double> Means(FileInfo file, DateTime? day)
    {
        var trace = LoadTrace.Read(file.FullName);
        var first = trace.First == trace.First.Date ? trace.First : trace.First.Date.AddDays(1);
        var means = trace.Means(Utc(day) ?? first, 1440, 5);
        return means.Max() > 0 ? means : throw new LoadFileException("The load is 0 all day: diurnal scales it to a peak of 12 servers.");
    }

    private static IReadOnlyList<double> Requests(FileInfo file, DateTime? day)
    {
        var trace = LoadTrace.Read(file.FullName);
        return Utc(day) is { } date ? trace.Means(date, 1440, 1) : trace.Means(trace.First, trace.Minutes, 1);
    }

    private static DateTime? Utc(DateTime? day) => day is { } date ? DateTime.SpecifyKind(date.Date, DateTimeKind.Utc) : null;

    private static void Print(SimulationResult result, ModelFile model)
    {
        var table = new Spectre.Console.Table().AddColumn("figure").AddColumn(new TableColumn("value").RightAligned());
        foreach (var (words, interval) in new[] { ("5 min", TimeSpan.FromMinutes(5)), ("1 min", TimeSpan.FromMinutes(1)), ("20 s", TimeSpan.FromSeconds(20)) })
        {
            var attained = interval > SimulationResult.Interval * result.Intervals.Count ? "the run is shorter" : FitWords.Percentile(result.AttainedPercentile(interval));
            table.AddRow($"attained percentile over {words}", attained);
        }

        table.AddRow("reads have to answer within", FormattableString.Invariant($"{ServiceObjective.Parse(model.Objective).Threshold.TotalMilliseconds:0.#} ms"));
        table.AddRow("server units", result.Units.ToString(CultureInfo.InvariantCulture));
        table.AddRow("cost", result.Cost.ToString("0.00", CultureInfo.InvariantCulture));
        table.AddRow("most servers", result.Intervals.Max(interval => interval.Servers).ToString(CultureInfo.InvariantCulture));
        table.AddRow("bins moved or copied", result.Moves.ToString(CultureInfo.InvariantCulture));
        table.AddRow("servers leased, released", $"{result.Leases}, {result.Releases}");
        AnsiConsole.Write(table);
    }
}

using System.CommandLine;
using System.Globalization;
using Spectre.Console;
using Stout.Director.Models;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tool.Commands;

/// <summary><c>train</c>: a server type's models, from the simulator or from telemetry.</summary>
internal static class TrainCommand
{
    private static readonly Option<FileInfo> Out = new("--out") { Description = "The model file to write", HelpName = "FILE", Required = true };
    private static readonly Option<string> Type = new("--type") { Description = "The server type's name", HelpName = "NAME", DefaultValueFactory = _ => "m1.small" };
    private static readonly Option<double> Speed = new("--speed") { Description = "Speed of the simulated server relative to m1.small", HelpName = "FACTOR", DefaultValueFactory = _ => 1 };
    private static readonly Option<int> Samples = new("--samples") { Description = "Benchmark runs for each of the mixes 50/50, 80/20, 90/10 and 95/5", HelpName = "N", DefaultValueFactory = _ => new TrainingSettings().Samples };
    private static readonly Option<double> Memory = new("--memory") { Description = "Memory of a server for bins, in MB", HelpName = "MB", DefaultValueFactory = _ => 800 };
    private static readonly Option<double> Price = new("--price") { Description = "Price of one charge interval", HelpName = "PRICE", DefaultValueFactory = _ => 1 };
    private static readonly Option<string?> Slo = Inputs.Slo();
    private static readonly Option<int> Seed = Inputs.Seed();

    private static readonly Option<FileInfo?> Telemetry = new("--telemetry")
    {
        Description = "Train from measurements instead of the simulator: a CSV file with the columns gets,puts,slow (visits/s at one server, share of reads over the threshold)",
        HelpName = "FILE",
    };

    private static readonly Option<FileInfo?> Copies = new("--copies")
    {
        Description = "Measured copies beside --telemetry: a CSV file with the columns rate,gets,puts,factor (bytes/s asked for, visits/s at both servers, observed over asked rate)",
        HelpName = "FILE",
    };

    public static Command Create()
    {
        var command = new Command("train", "Train a server type's models and write them with their fit.") { Out, Type, Slo, Telemetry, Copies, Speed, Samples, Memory, Price, Seed };
        command.SetAction((arguments, cancellationToken) => Task.FromResult(RootCommands.Guard(() => Run(arguments, cancellationToken))));
        return command;
    }

    private static void Run(ParseResult arguments, CancellationToken cancellationToken)
    {
        var settings = new TrainingSettings
        {
            Objective = Inputs.Objective(arguments.GetValue(Slo)),
            Samples = arguments.GetValue(Samples),
            Memory = (long)(arguments.GetValue(Memory) * 1e6),
            Price = arguments.GetValue(Price),
            Seed = arguments.GetValue(Seed),
        };
        var name = arguments.GetRequiredValue(Type);
        var model = arguments.GetValue(Telemetry) is { } telemetry
            ? FromTelemetry(name, telemetry, arguments.GetValue(Copies), settings)
            : Progress.Show("training", progress => ModelTrainer.Train(name, ServerPhysics.SmallInstance.Scaled(arguments.GetValue(Speed)), settings, progress, cancellationToken));
        var file = arguments.GetRequiredValue(Out);
        using (var stream = file.Create())
            model.Write(stream);
        Print(model, file);
    }

    private static ModelFile FromTelemetry(string name, FileInfo telemetry, FileInfo? copies, TrainingSettings settings) => new()
    {
        Objective = settings.Objective.ToString(),
        Type = new ServerType
        {
            Name = name,
            SteadyState = SteadyStateTrainer.Train([.. Rows(telemetry, "gets,puts,slow").Select(row => new LoadSample(row[0], row[1], row[2] > settings.Objective.SlowBudget))]),
            // Without measurements copies are taken to be as fast as they are asked to be.
            Copies = copies is null
                ? new CopyDurationModel { Coefficients = [1, 0, 0, 0, 0, 0, 0], Scales = [1, 1, 1] }
                : CopyDurationTrainer.Train([.. Rows(copies, "rate,gets,puts,factor").Select(row => new CopySample(row[0], row[1], row[2], row[3]))]),
            Memory = settings.Memory,
            Price = settings.Price,
        },
    };

    private static IEnumerable<double[]> Rows(FileInfo file, string header)
    {
        var lines = File.ReadAllLines(file.FullName);
        if (lines.Length == 0 || lines[0].Trim() != header)
            throw new ModelException($"{file.Name} has to begin with the line \"{header}\".");
        for (var i = 1; i < lines.Length; i++)
        {
            var cells = lines[i].Split(',');
            var row = new double[header.Split(',').Length];
            if (cells.Length != row.Length || !cells.Index().All(cell => double.TryParse(cell.Item, NumberStyles.Float, CultureInfo.InvariantCulture, out row[cell.Index]) && row[cell.Index] >= 0))
                throw new ModelException($"Line {i + 1} of {file.Name} is \"{lines[i]}\", not {row.Length} numbers of at least 0.");
            yield return row;
        }
    }

    private static void Print(ModelFile model, FileInfo file)
    {
        var steady = model.Type.SteadyState;
        var table = new Spectre.Console.Table().AddColumn("mix").AddColumn(new TableColumn("visits/s that one server can serve").RightAligned());
        foreach (var mix in ModelTrainer.Mixes)
            table.AddRow(FormattableString.Invariant($"{100 * mix:0}/{100 - 100 * mix:0}"), FormattableString.Invariant($"{steady.Capacity(mix):#,0}"));
        AnsiConsole.Write(table);
        Console.WriteLine(FormattableString.Invariant($"{model.Type.Name} for \"{model.Objective}\": {steady.Samples} loads, {steady.Accuracy:0.0 %} classified as measured; {model.Type.Copies.Samples} copies, {model.Type.Copies.Accuracy:0.0 %} within 20 %."));
        Console.WriteLine(file.FullName);
    }
}

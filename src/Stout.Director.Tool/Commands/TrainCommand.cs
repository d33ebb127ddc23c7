using System.CommandLine;
using System.Globalization;
using Spectre.Console;
using Stout.Director.Models;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tool.Commands;

/// <summary><c>train</c>: trains a server type's models on the simulator or on telemetry.</summary>
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
        Description = "Train from measurements instead of the simulator: a CSV file with the columns gets,puts,slow (visits/s at one server, share of reads over the objective's threshold). Further columns, named by thresholds in ms, hold the shares of slower reads: whatif needs them",
        HelpName = "FILE",
    };

    private static readonly Option<int> Asked = new("--asked") { Description = "Servers that each read is sent to (was sent to, in --telemetry)", HelpName = "1|2", DefaultValueFactory = _ => 2 };

    private static readonly Option<FileInfo?> Copies = new("--copies")
    {
        Description = "Measured copies beside --telemetry: a CSV file with the columns rate,gets,puts,factor (bytes/s asked for, visits/s at both servers, observed over asked rate)",
        HelpName = "FILE",
    };

    public static Command Create()
    {
        var command = new Command("train", "Train a server type's models and write them with their fit.") { Out, Type, Slo, Telemetry, Asked, Copies, Speed, Samples, Memory, Price, Seed };
        command.SetAction((arguments, cancellationToken) => Task.FromResult(RootCommands.Guard(() => Run(arguments, cancellationToken))));
        return command;
    }

    private static void Run(ParseResult arguments, CancellationToken cancellationToken)
    {
        var settings = new TrainingSettings
        {
            Objective = Inputs.Objective(arguments.GetValue(Slo)),
            Replicas = (int)Number(Asked.Name, arguments.GetValue(Asked), 1, 2),
            Samples = (int)Number(Samples.Name, arguments.GetValue(Samples), 1, 10_000),
            Memory = (long)(Number(Memory.Name, arguments.GetValue(Memory), 1e-6, 1e12) * 1e6),
            Price = Number(Price.Name, arguments.GetValue(Price), 0, 1e12),
            Seed = arguments.GetValue(Seed),
        };
        var name = arguments.GetRequiredValue(Type);
        var speed = Number(Speed.Name, arguments.GetValue(Speed), 1e-3, 1e6);
        if (arguments.GetValue(Copies) is not null && arguments.GetValue(Telemetry) is null)
            throw new ModelException("--copies belongs beside --telemetry.");
        var model = arguments.GetValue(Telemetry) is { } telemetry
            ? Commands.Telemetry.Train(name, telemetry, arguments.GetValue(Copies), settings.Replicas, settings)
            : Progress.Show("training", progress => ModelTrainer.Train(name, ServerPhysics.SmallInstance.Scaled(speed), settings, progress, cancellationToken));
        var file = arguments.GetRequiredValue(Out);
        using (var stream = file.Create())
            model.Write(stream);
        Print(model, file);
    }

    private static double Number(string option, double value, double least, double most) =>
        value >= least && value <= most ? value : throw new ModelException(FormattableString.Invariant($"{option} is {value}; it has to be from {least} to {most}."));

    private static void Print(ModelFile model, FileInfo file)
    {
        var steady = model.Type.SteadyState;
        var table = new Spectre.Console.Table().AddColumn("mix").AddColumn(new TableColumn("visits/s that one server can serve").RightAligned());
        foreach (var mix in ModelTrainer.Mixes)
            table.AddRow(FormattableString.Invariant($"{100 * mix:0}/{100 - 100 * mix:0}"), FormattableString.Invariant($"{steady.Capacity(mix):#,0}"));
        AnsiConsole.Write(table);
        Console.WriteLine(FormattableString.Invariant($"{model.Type.Name} for \"{model.Objective}\": {steady.Samples} loads, {steady.Accuracy:0.0 %} classified as measured; {Copied(model.Type.Copies)}."));
        Console.WriteLine(file.FullName);
    }

    private static string Copied(CopyDurationModel model) => model.Samples == 0
        ? "no copies measured, so they are taken to be as fast as they are asked to be"
        : FormattableString.Invariant($"{model.Samples} copies, {model.Accuracy:0.0 %} within 20 %");
}

using System.Globalization;
using Stout.Director.Models;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tool.Commands;

/// <summary>Trains a server type's models on measurements of a real cluster.</summary>
internal static class Telemetry
{
    private const int LoadColumns = 3;

    /// <summary>Trains on a file of loads, and on a file of copies if one is given.</summary>
    public static ModelFile Train(string name, FileInfo loads, FileInfo? copies, int asked, TrainingSettings settings)
    {
        var (header, rows) = Read(loads, "gets,puts,slow");
        var model = SteadyStateTrainer.Train([.. rows.Select(row => new LoadSample(row[0], row[1], row[2] > settings.Objective.SlowBudget))]);
        return new ModelFile
        {
            Objective = settings.Objective.ToString(),
            Asked = asked,
            Type = new ServerType
            {
                Name = name,
                SteadyState = model,
                // Without measurements of copies, every copy is assumed to reach the specified rate.
                Copies = copies is null
                    ? new CopyDurationModel { Coefficients = [1, 0, 0, 0, 0, 0, 0], Scales = [1, 1, 1] }
                    : CopyDurationTrainer.Train([.. Read(copies, "rate,gets,puts,factor").Rows.Select(row => new CopySample(row[0], row[1], row[2], row[3]))]),
                Memory = settings.Memory,
                Price = settings.Price,
            },
            Latencies = header.Length == LoadColumns
                ? null
                : LatencyTableTrainer.Train(
                    model, [.. header[LoadColumns..].Select(column => Threshold(loads, column))], [.. rows.Select(row => new LatencySample(row[0], row[1], row[LoadColumns..]))], asked),
        };
    }

    private static double Threshold(FileInfo file, string column) =>
        double.TryParse(column, NumberStyles.Float, CultureInfo.InvariantCulture, out var milliseconds)
            ? milliseconds / 1000
            : throw new ModelException($"The column \"{column}\" of {file.Name} has to be a threshold in ms.");

    private static (string[] Header, List<double[]> Rows) Read(FileInfo file, string first)
    {
        var lines = File.ReadAllLines(file.FullName);
        var header = lines.Length == 0 ? "" : lines[0].Trim();
        if (header != first && !header.StartsWith(first + ',', StringComparison.Ordinal))
            throw new ModelException($"{file.Name} has to begin with the line \"{first}\".");
        var columns = header.Split(',');
        // Empty lines at the end are no rows.
        var last = Array.FindLastIndex(lines, line => !string.IsNullOrWhiteSpace(line));
        return (columns, [.. lines.Take(last + 1).Skip(1).Select((line, i) => Row(file, line, i + 2, columns.Length))]);
    }

    private static double[] Row(FileInfo file, string line, int number, int length)
    {
        var cells = line.Split(',');
        var row = new double[length];
        return cells.Length == length && cells.Index().All(cell => double.TryParse(cell.Item, NumberStyles.Float, CultureInfo.InvariantCulture, out row[cell.Index]) && row[cell.Index] >= 0 && double.IsFinite(row[cell.Index]))
            ? row
            : throw new ModelException($"Line {number} of {file.Name} is \"{line}\", not {length} finite numbers of at least 0.");
    }
}

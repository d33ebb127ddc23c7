using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Stout.Benchmarks.Grains;

/// <summary>
/// The figures of all cells, printed one by one as they are found, and together as JSON. A cell is one load that several variants are measured under.
/// </summary>
internal sealed class Figures
{
    private static readonly JsonSerializerOptions Json = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
    private readonly List<Figure> _figures = [];
    private string _cell = "";

    /// <summary>Begins a cell.</summary>
    /// <param name="cell">The cell's name.</param>
    /// <param name="what">The load and its units.</param>
    public void Begin(string cell, string what)
    {
        _cell = cell;
        Console.WriteLine($"{cell}: {what}; median (least to most)");
    }

    /// <summary>Adds a figure.</summary>
    /// <param name="variant">The variant to which the figure belongs.</param>
    /// <param name="name">The figure's name, with its unit.</param>
    /// <param name="rounds">The figure's value in each round.</param>
    /// <param name="goal">The goal; null without one.</param>
    public void Add(string variant, string name, IEnumerable<double> rounds, Goal? goal = null)
    {
        var sorted = rounds.Order().ToList();
        var median = sorted[sorted.Count / 2];
        var figure = new Figure(_cell, variant, name, Rounded(median), Rounded(sorted[0]), Rounded(sorted[^1]), sorted.Count, goal?.ToString(), goal?.IsReached(median));
        _figures.Add(figure);
        var verdict = figure.Goal is null ? "" : $"goal {figure.Goal}: {(figure.Reached == true ? "reached" : "MISSED")}";
        Console.WriteLine($"  {variant,-22} {name,-42} {$"{Text(figure.Median)} ({Text(figure.Least)} to {Text(figure.Most)})",-32} {verdict}");
    }

    /// <summary>Prints all figures as one line of JSON.</summary>
    public void PrintJson() => Console.WriteLine(JsonSerializer.Serialize(_figures, Json));

    private static double Rounded(double value) => Math.Round(value, 4);

    private static string Text(double value) => value.ToString(Math.Abs(value) >= 100 ? "N0" : Math.Abs(value) >= 10 ? "0.0" : "0.000", CultureInfo.InvariantCulture);

    private sealed record Figure(
        string Cell, string Variant, string Name, double Median, double Least, double Most, int Rounds, string? Goal, bool? Reached);
}

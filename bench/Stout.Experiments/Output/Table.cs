using System.Globalization;

namespace Stout.Experiments.Output;

/// <summary>A column of a table.</summary>
/// <param name="Name">As in the CSV's first line.</param>
/// <param name="Unit">Empty for a number without one, and for text.</param>
internal sealed record Column(string Name, string Unit = "");

/// <summary>What an experiment measured, one observation a row: tidy, so that every plot and every page is made from it alone.</summary>
internal sealed class Table(params Column[] columns)
{
    private readonly List<object?[]> _rows = [];

    public IReadOnlyList<Column> Columns => columns;

    public IReadOnlyList<IReadOnlyList<object?>> Rows => _rows;

    /// <summary>Adds a row: text, numbers, truth values, or null where there is nothing.</summary>
    public void Add(params object?[] cells)
    {
        if (cells.Length != columns.Length)
            throw new ArgumentException($"{columns.Length} cells make a row, not {cells.Length}.", nameof(cells));
        _rows.Add(cells);
    }

    /// <summary>A cell as text: the same on every machine.</summary>
    public static string Text(object? cell) => cell switch
    {
        null => string.Empty,
        double number => Text(number),
        bool truth => truth ? "true" : "false",
        IFormattable value => value.ToString(null, CultureInfo.InvariantCulture),
        var other => other.ToString() ?? string.Empty,
    };

    private static string Text(double number) =>
        double.IsFinite(number) ? number.ToString(Math.Abs(number) < 1 ? "0.#####" : "0.###", CultureInfo.InvariantCulture) : string.Empty;
}

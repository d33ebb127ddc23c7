using System.Globalization;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;

namespace Stout.Experiments.Output;

/// <summary>A column of a table.</summary>
/// <param name="Name">The name, as in the CSV's first line.</param>
/// <param name="Unit">The unit; empty for a number without a unit, and for text.</param>
internal sealed partial record Column(string Name, string Unit = "")
{
    /// <summary>The name in words, with its unit, for people.</summary>
    [JsonIgnore]
    public string Label
    {
        get
        {
            var words = UpperCase().Replace(Name, match => " " + match.Value.ToLowerInvariant());
            if (Unit == "ms" && words.EndsWith(" ms", StringComparison.Ordinal))
                words = words[..^3];
            return Unit.Length == 0 ? words : $"{words} ({Unit})";
        }
    }

    [GeneratedRegex("[A-Z]")]
    private static partial Regex UpperCase();
}

/// <summary>An experiment's measurements, one observation a row. Every plot and page is made from the table alone.</summary>
internal sealed class Table(params Column[] columns)
{
    private readonly List<object?[]> _rows = [];

    public IReadOnlyList<Column> Columns => columns;

    public IReadOnlyList<IReadOnlyList<object?>> Rows => _rows;

    /// <summary>The index of a column in every row.</summary>
    /// <exception cref="ArgumentException">There is no column of that name.</exception>
    public int IndexOf(string column)
    {
        var index = Array.FindIndex(columns, one => one.Name == column);
        return index >= 0 ? index : throw new ArgumentException($"The table has no column {column}.", nameof(column));
    }

    /// <summary>Whether a column holds no text.</summary>
    public bool IsNumeric(int column) => _rows.TrueForAll(row => row[column] is not string);

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

using System.Text;

namespace Stout.Experiments.Output;

/// <summary>Comma-separated values (RFC 4180, but for line ends: a line feed on every system).</summary>
internal static class Csv
{
    public static string Of(Table table)
    {
        var text = new StringBuilder();
        AddLine(text, table.Columns.Select(column => column.Name));
        foreach (var row in table.Rows)
            AddLine(text, row.Select(Table.Text));
        return text.ToString();
    }

    private static void AddLine(StringBuilder text, IEnumerable<string> cells) =>
        text.AppendJoin(',', cells.Select(Quoted)).Append('\n');

    private static string Quoted(string cell) =>
        cell.AsSpan().ContainsAny(",\"\n\r") ? $"\"{cell.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : cell;
}

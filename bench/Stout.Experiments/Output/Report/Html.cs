using System.Net;
using System.Text;

namespace Stout.Experiments.Output.Report;

/// <summary>The parts that the page is made of.</summary>
internal static class Html
{
    public static string Escaped(string text) => WebUtility.HtmlEncode(text);

    public static string Link(string target, string text) => $"<a href=\"{Escaped(target)}\">{Escaped(text)}</a>";

    /// <param name="text">The page.</param>
    /// <param name="caption">For those who don't see the table.</param>
    /// <param name="columns">As text.</param>
    /// <param name="numeric">The columns whose numbers are to stand one below the other.</param>
    /// <param name="rows">As HTML.</param>
    public static void AddTable(StringBuilder text, string caption, IEnumerable<string> columns, IEnumerable<int> numeric, IEnumerable<Row> rows)
    {
        var numbers = numeric.ToHashSet();
        // A wide table moves by itself, with the keyboard too; the page does not.
        text.Append($"<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{Escaped(caption)}\"><table>\n<thead><tr>");
        foreach (var (i, column) in columns.Index())
            text.Append($"<th scope=\"col\"{Class(i)}>{Escaped(column)}</th>");
        text.Append("</tr></thead>\n<tbody>\n");
        foreach (var row in rows)
        {
            text.Append(row.Class is null ? "<tr>" : $"<tr class=\"{row.Class}\">");
            foreach (var (i, cell) in row.Cells.Index())
                text.Append(i == 0 ? $"<th scope=\"row\"{Class(i)}>{cell}</th>" : $"<td{Class(i)}>{cell}</td>");
            text.Append("</tr>\n");
        }

        text.Append("</tbody></table></div>\n");

        string Class(int i) => numbers.Contains(i) ? " class=\"number\"" : "";
    }

    public sealed record Row(IReadOnlyList<string> Cells, string? Class = null);
}

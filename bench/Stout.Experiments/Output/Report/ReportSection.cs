using System.Text;
using Stout.Experiments.Output.Plots;
using static Stout.Experiments.Output.Report.Html;

namespace Stout.Experiments.Output.Report;

/// <summary>An experiment's part of the page.</summary>
internal static class ReportSection
{
    // More rows than a person reads: the CSV beside the page has them.
    private const int MostRows = 100;

    public static void Add(StringBuilder text, Document document)
    {
        text.Append($"<section id=\"{document.Stem}\"><h2>{Escaped(document.Heading)}</h2>\n<p>{Escaped(document.Conditions)}</p>\n");
        text.Append($"<pre tabindex=\"0\" aria-label=\"Command that repeats it\"><code>{Escaped(document.Command)}</code></pre>\n");
        if (document.Result.Headlines.Count > 0)
        {
            var table = new HeadlineTable(document.Result.Headlines);
            AddTable(
                text, $"Headlines of {document.Experiment}", table.Columns, Enumerable.Range(1, table.Columns.Count - 1),
                table.Rows.Zip(document.Result.Headlines, (row, headline) => new Row([.. row.Select(Escaped)], headline.Differs ? "differs" : null)));
        }

        foreach (var picture in Picture.AllOf(document))
            text.Append($"<figure>{picture.Inline()}</figure>\n");
        foreach (var note in document.Result.Notes)
            text.Append($"<p>{Escaped(note)}</p>\n");
        AddMeasurements(text, document);
        text.Append("</section>\n");
    }

    private static void AddMeasurements(StringBuilder text, Document document)
    {
        var table = document.Result.Table;
        var file = Link($"{document.Stem}.csv", $"{document.Stem}.csv");
        if (table.Rows.Count > MostRows)
        {
            text.Append($"<p>{table.Rows.Count} rows of measurements: {file}</p>\n");
            return;
        }

        text.Append($"<details><summary>Measurements, {table.Rows.Count} rows</summary>\n<p>The same as {file}</p>\n");
        AddTable(
            text, $"Measurements of {document.Experiment}", table.Columns.Select(column => column.Label), Enumerable.Range(0, table.Columns.Count).Where(table.IsNumeric),
            table.Rows.Select(row => new Row([.. row.Select(cell => Escaped(Figure.OfCell(cell)))])));
        text.Append("</details>\n");
    }
}

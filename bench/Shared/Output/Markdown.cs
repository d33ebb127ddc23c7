using System.Text;
using Stout.Experiments.Output.Plots;

namespace Stout.Experiments.Output;

/// <summary>Writes a document as a Markdown page with its figures, the paper's figures, their ratios, and the plots.</summary>
internal static class Markdown
{
    // Longer tables are too long for a page; the file of measurements has them.
    private const int MostRows = 100;

    /// <summary>A document's own page.</summary>
    /// <param name="document">The document.</param>
    /// <param name="data">The file with its measurements, for a table that is too long for a page.</param>
    /// <param name="remark">A remark below the heading, or an empty text.</param>
    public static string Of(Document document, string data, string remark = "")
    {
        var text = new StringBuilder($"# {document.Experiment}: {document.Title}\n\n");
        if (remark.Length > 0)
            text.Append($"{remark}\n\n");
        AddBody(text, document, static picture => picture.File);
        if (document.Result.Table.Rows.Count <= MostRows)
            AddTable(text, document.Result.Table);
        else
            text.Append($"The measurements are in [{data}]({data}).\n");
        return text.ToString();
    }

    /// <summary>Adds a document's conditions, command, headlines, plots and notes.</summary>
    /// <param name="text">The page.</param>
    /// <param name="document">The document.</param>
    /// <param name="address">Returns the address of a picture.</param>
    public static void AddBody(StringBuilder text, Document document, Func<Picture, string> address)
    {
        text.Append($"{document.Conditions}\n\n```\n{document.Command}\n```\n\n");
        if (document.Result.Headlines.Count > 0)
        {
            var table = new HeadlineTable(document.Result.Headlines);
            AddRow(text, table.Columns);
            AddRow(text, table.Columns.Select((_, i) => i == 0 ? "---" : "---:"));
            foreach (var row in table.Rows)
                AddRow(text, row);
            text.Append('\n');
        }

        foreach (var picture in Picture.AllOf(document))
            AddPicture(text, picture, address(picture));
        foreach (var note in document.Result.Notes)
            text.Append($"{note}\n\n");
    }

    /// <summary>Adds a picture, with its contents in words.</summary>
    public static void AddPicture(StringBuilder text, Picture picture, string address) =>
        text.Append($"![{Escaped($"{picture.Panel.Title}. {PanelPlot.Describe(picture.Panel)}")}]({address})\n\n");

    public static void AddTable(StringBuilder text, Table table)
    {
        AddRow(text, table.Columns.Select(column => column.Label));
        AddRow(text, table.Columns.Select((_, i) => table.IsNumeric(i) ? "---:" : "---"));
        foreach (var row in table.Rows)
            AddRow(text, row.Select(Figure.OfCell));
    }

    public static void AddRow(StringBuilder text, IEnumerable<string> cells) =>
        text.Append("| ").AppendJoin(" | ", cells.Select(cell => cell.Replace("|", "\\|", StringComparison.Ordinal))).Append(" |\n");

    private static string Escaped(string text) =>
        text.Replace("[", "\\[", StringComparison.Ordinal).Replace("]", "\\]", StringComparison.Ordinal);
}

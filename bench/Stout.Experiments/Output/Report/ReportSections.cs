using System.Text;
using Stout.Experiments.Output.Plots;

namespace Stout.Experiments.Output.Report;

/// <summary>The sections of the report: everything about every experiment.</summary>
internal static class ReportSections
{
    // Longer tables are in the data's files only.
    private const int MostRows = 12;

    /// <param name="text">The report.</param>
    /// <param name="documents">The experiments' results.</param>
    /// <param name="address">Returns the address of a picture.</param>
    public static void Add(StringBuilder text, IReadOnlyList<Document> documents, Func<Picture, string> address)
    {
        if (Comparison.AllOf(documents).Count > 0)
        {
            text.Append("## The paper's figures and ours\n\n");
            AddComparisons(text, documents);
        }

        AddRealStores(text, documents);
        text.Append("## The model\n\n");
        foreach (var paragraph in AboutTheModel.Paragraphs)
            text.Append($"{paragraph}\n\n");
        foreach (var document in documents)
        {
            text.Append($"## {document.Heading}\n\n");
            Markdown.AddBody(text, document, address);
            if (document.Result.Table.Rows.Count > MostRows)
                continue;
            Markdown.AddTable(text, document.Result.Table);
            text.Append('\n');
        }
    }

    /// <summary>A table of the paper's figures beside ours.</summary>
    public static void AddComparisons(StringBuilder text, IReadOnlyList<Document> documents)
    {
        text.Append($"{Comparison.Explanation}\n\n");
        AddTable(text, Comparison.Columns, Comparison.Numbers, Comparison.AllOf(documents).Select(comparison => comparison.Rest.Prepend(comparison.Document.Experiment)));
    }

    /// <summary>A table of the figures of real stores, if any.</summary>
    public static void AddRealStores(StringBuilder text, IReadOnlyList<Document> documents)
    {
        var rows = RealFigures.RowsOf(documents);
        if (rows.Count == 0)
            return;
        text.Append($"## {RealFigures.Title}\n\n");
        AddTable(text, RealFigures.Columns, RealFigures.Numbers, rows.Select(row => row.Cells));
        text.Append($"### {AboutRealStores.Title}\n\n");
        foreach (var paragraph in AboutRealStores.Paragraphs)
            text.Append($"{paragraph}\n\n");
    }

    private static void AddTable(StringBuilder text, IReadOnlyList<string> columns, IReadOnlyList<int> numbers, IEnumerable<IEnumerable<string>> rows)
    {
        Markdown.AddRow(text, columns);
        Markdown.AddRow(text, columns.Select((_, i) => numbers.Contains(i) ? "---:" : "---"));
        foreach (var row in rows)
            Markdown.AddRow(text, row);
        text.Append('\n');
    }
}

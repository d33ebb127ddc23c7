using System.Text;
using Stout.Plots;
using static Stout.Experiments.Output.Report.Html;

namespace Stout.Experiments.Output.Report;

/// <summary>One page with everything in it: it opens without a network, in light and in dark, and prints.</summary>
internal static class ReportPage
{
    public const string File = "report.html";

    private const string Comparisons = "comparisons";
    private const string Model = "model";
    private const string Real = "real-stores";

    public static string Of(IReadOnlyList<Document> documents)
    {
        var comparisons = Comparison.AllOf(documents);
        var real = RealFigures.RowsOf(documents);
        var text = new StringBuilder();
        text.Append($"""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>Stout: the paper's evaluation, and ours</title>
            <style>
            {Resource.Text("report.css")}{SvgPlot.Style}</style>
            </head>
            <body>
            <a class="skip" href="#content">To the content</a>
            <header><h1>The paper's evaluation, and ours</h1>
            <p>{Escaped(Lead(documents, comparisons))}</p></header>
            <nav aria-label="Contents"><h2>Contents</h2><ol>

            """);
        AddEntry(text, Comparisons, "The paper's figures and ours");
        if (real.Count > 0)
            AddEntry(text, Real, RealFigures.Title);
        AddEntry(text, Model, "What the model is, and what it is not");
        foreach (var document in documents)
            AddEntry(text, document.Stem, document.Heading);
        text.Append("</ol></nav>\n<main id=\"content\">\n");
        AddComparisons(text, comparisons);
        if (real.Count > 0)
            AddRealStores(text, real);
        text.Append($"<section id=\"{Model}\"><h2>What the model is, and what it is not</h2>\n");
        AddParagraphs(text, AboutTheModel.Paragraphs);
        text.Append("</section>\n");
        foreach (var document in documents)
            ReportSection.Add(text, document);
        return text.Append("</main>\n</body>\n</html>\n").ToString();
    }

    private static string Lead(IReadOnlyList<Document> documents, IReadOnlyList<Comparison> comparisons)
    {
        var off = comparisons.Count(comparison => comparison.Headline.Differs);
        var open = comparisons.Count(comparison => comparison.Headline is { Differs: true, Reason: null });
        return $"""
            {documents.Count} experiments. Of the {comparisons.Count} figures that the paper gives, {comparisons.Count - off} come out within 25 % here, {off} don't; for {open} of those the reason is open.
            Each section names the command that repeats it.
            """;
    }

    private static void AddEntry(StringBuilder text, string id, string title) =>
        text.Append($"<li><a href=\"#{id}\">{Escaped(title)}</a></li>\n");

    private static void AddParagraphs(StringBuilder text, IEnumerable<string> paragraphs)
    {
        foreach (var paragraph in paragraphs)
            text.Append($"<p>{Escaped(paragraph)}</p>\n");
    }

    private static void AddRealStores(StringBuilder text, IReadOnlyList<(Document Document, IReadOnlyList<string> Cells)> rows)
    {
        text.Append($"<section id=\"{Real}\"><h2>{RealFigures.Title}</h2>\n");
        AddTable(
            text, RealFigures.Title, RealFigures.Columns, RealFigures.Numbers,
            rows.Select(row => new Row([Link($"#{row.Document.Stem}", row.Document.Experiment), .. row.Cells.Skip(1).Select(Escaped)])));
        text.Append($"<h3>{AboutRealStores.Title}</h3>\n");
        AddParagraphs(text, AboutRealStores.Paragraphs);
        text.Append("</section>\n");
    }

    private static void AddComparisons(StringBuilder text, IReadOnlyList<Comparison> comparisons)
    {
        text.Append($"<section id=\"{Comparisons}\"><h2>The paper's figures and ours</h2>\n");
        if (comparisons.Count == 0)
        {
            text.Append("<p>No experiment here has a figure in the paper.</p></section>\n");
            return;
        }

        text.Append($"<p>{Escaped(Comparison.Explanation)}</p>\n");
        AddTable(
            text, "Figures that the paper gives", Comparison.Columns, Comparison.Numbers,
            comparisons.Select(comparison => new Row(
                [Link($"#{comparison.Document.Stem}", comparison.Document.Experiment), .. comparison.Rest.Select(Escaped)],
                comparison.Headline.Differs ? "differs" : null)));
        text.Append("</section>\n");
    }
}

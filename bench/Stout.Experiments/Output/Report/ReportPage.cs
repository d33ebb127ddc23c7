using System.Text;
using Markdig;
using Markdig.Extensions.AutoIdentifiers;
using Markdig.Renderers.Html;
using Markdig.Syntax;
using static System.Net.WebUtility;

namespace Stout.Experiments.Output.Report;

/// <summary>
/// The report as one HTML file that contains its pictures and styles. It opens without a network, has a light and a dark style, and can be printed.
/// </summary>
internal static class ReportPage
{
    public const string File = "report.html";

    // Disables HTML in the Markdown: text that looks like a tag is meant as text.
    private static readonly MarkdownPipeline Pipeline =
        new MarkdownPipelineBuilder().UsePipeTables().UseAutoIdentifiers(AutoIdentifierOptions.GitHub).DisableHtml().Build();

    public static string Of(IReadOnlyList<Document> documents)
    {
        var text = new StringBuilder();
        ReportSections.Add(text, documents, static picture => "data:image/svg+xml;base64," + Convert.ToBase64String(Encoding.UTF8.GetBytes(picture.Svg())));
        var page = Markdig.Markdown.Parse(text.ToString(), Pipeline);
        return $"""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
            <title>Stout: the paper's evaluation, and ours</title>
            <style>
            {Resource.Text("report.css")}</style>
            </head>
            <body>
            <a class="skip" href="#content">To the content</a>
            <header><h1>The paper's evaluation, and ours</h1>
            <p>{HtmlEncode(Lead(documents))}</p></header>
            <nav aria-label="Contents"><h2>Contents</h2><ol>
            {Contents(page)}</ol></nav>
            <main id="content">
            {page.ToHtml(Pipeline)}</main>
            </body>
            </html>

            """;
    }

    private static string Lead(IReadOnlyList<Document> documents)
    {
        var comparisons = Comparison.AllOf(documents);
        var off = comparisons.Count(comparison => comparison.Headline.Differs);
        var open = comparisons.Count(comparison => comparison.Headline is { Differs: true, Reason: null });
        return $"""
            {documents.Count} experiments. Of the {comparisons.Count} figures that the paper gives, {comparisons.Count - off} come out within 25 % here, {off} don't; for {open} of those the reason is open.
            Each section names the command that repeats it. Its measurements are in the CSV file of its name beside this page.
            """;
    }

    private static string Contents(MarkdownDocument page)
    {
        var entries = new StringBuilder();
        foreach (var heading in page.Descendants<HeadingBlock>().Where(static heading => heading.Level == 2))
            entries.Append($"<li><a href=\"#{heading.GetAttributes().Id}\">{HtmlEncode(heading.Inline!.FirstChild!.ToString())}</a></li>\n");
        return entries.ToString();
    }
}

namespace Stout.Experiments.Output.Report;

/// <summary>A figure of the paper beside ours, and the document that contains ours.</summary>
internal sealed record Comparison(Document Document, Headline Headline)
{
    private const string Unexplained = "open";

    public const string Explanation =
        "The ratio is ours over the paper's. If ours is more than 25 % off, the row gives the reason that an experiment has found, or \"open\".";

    /// <summary>In a sentence: the number of figures, and of those within the tolerance.</summary>
    public static string SummaryOf(IEnumerable<Document> documents)
    {
        var comparisons = AllOf(documents);
        return $"The experiments have {comparisons.Count} figures to compare with the paper's, some with the paper's law and some with the default law. {comparisons.Count(static comparison => !comparison.Headline.Differs)} of them are within 25 % of the paper's figure.";
    }

    public static IReadOnlyList<string> Columns { get; } = ["experiment", "law and store", "figure", "paper", "ours", "ratio", "reason"];

    /// <summary>The indexes of the columns that hold numbers.</summary>
    public static IReadOnlyList<int> Numbers { get; } = [3, 4, 5];

    /// <summary>Every figure that the paper gives, in the documents' order.</summary>
    public static IReadOnlyList<Comparison> AllOf(IEnumerable<Document> documents) =>
        [.. documents.SelectMany(document => document.Result.Headlines.Where(headline => headline.Paper is not null).Select(headline => new Comparison(document, headline)))];

    /// <summary>The cells of the comparison's row, without the first, which names the experiment.</summary>
    public IReadOnlyList<string> Rest =>
    [
        Document.Setting, Headline.Label, Figure.Of(Headline.Paper), Figure.Of(Headline.Ours, "never"), Figure.Of(Headline.Ratio),
        Headline.Differs ? Headline.Reason ?? Unexplained : "",
    ];
}

namespace Stout.Experiments.Output;

/// <summary>A document's headlines as text. Columns for the paper and for spreads exist only if a headline has such figures.</summary>
internal sealed class HeadlineTable(IReadOnlyList<Headline> headlines)
{
    private readonly bool _paper = headlines.Any(headline => headline.Paper is not null);
    private readonly bool _spread = headlines.Any(headline => headline.Around.Length > 0);

    public IReadOnlyList<string> Columns => ["figure", .. If(_paper, "paper"), "ours", .. If(_spread, "spread"), .. If(_paper, "ratio")];

    public IEnumerable<IReadOnlyList<string>> Rows => headlines.Select(IReadOnlyList<string> (headline) =>
    [
        headline.Label, .. If(_paper, Figure.Of(headline.Paper)), Figure.Of(headline.Ours, "never"), .. If(_spread, headline.Around), .. If(_paper, Figure.Of(headline.Ratio)),
    ]);

    private static string[] If(bool wanted, string cell) => wanted ? [cell] : [];
}

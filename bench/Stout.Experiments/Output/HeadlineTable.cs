namespace Stout.Experiments.Output;

/// <summary>A document's headlines as text. The paper has columns where it has figures.</summary>
internal sealed class HeadlineTable(IReadOnlyList<Headline> headlines)
{
    private readonly bool _paper = headlines.Any(headline => headline.Paper is not null);

    public IReadOnlyList<string> Columns => _paper ? ["figure", "paper", "ours", "ratio"] : ["figure", "ours"];

    public IEnumerable<IReadOnlyList<string>> Rows => headlines.Select(IReadOnlyList<string> (headline) => _paper
        ? [headline.Label, Figure.Of(headline.Paper), Figure.Of(headline.Ours, "never"), Figure.Of(headline.Ratio)]
        : [headline.Label, Figure.Of(headline.Ours, "never")]);
}

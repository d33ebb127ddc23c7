namespace Stout.Experiments.Output.Report;

/// <summary>The sentences of the project's first page that rest on measurements: made of the evaluation's data, so that nobody can round them up by hand.</summary>
internal static class ReadmeHeadline
{
    public const string Begin = "<!-- headline: made by the experiments' report, of docs/evaluation -->";
    public const string End = "<!-- end of the headline -->";
    public const string Needs = "fig8 and fig10, the default law, on postgres";

    private const string Store = "postgres";
    private const string Law = "delay";

    /// <summary>The page with the headline put between its marks; null if it has none, or the documents lack what is needed.</summary>
    public static string? Inserted(string page, IReadOnlyList<Document> documents)
    {
        var (begin, end) = (page.IndexOf(Begin, StringComparison.Ordinal), page.IndexOf(End, StringComparison.Ordinal));
        return begin >= 0 && end > begin && Of(documents) is { } headline ? $"{page[..(begin + Begin.Length)]}\n{headline}\n{page[end..]}" : null;
    }

    /// <summary>The headline as Markdown; null if the documents lack what is needed.</summary>
    public static string? Of(IReadOnlyList<Document> documents)
    {
        if (Find("fig8") is not { } curves || Find("fig10") is not { } overheads)
            return null;
        var (latency, capacity) = (curves.Result.Headlines[2], curves.Result.Headlines[5]);
        var overhead = overheads.Result.Headlines.Select(headline => headline.Ours ?? double.PositiveInfinity).Order().ToList();
        return $"""
            Several services on one real PostgreSQL with fsync: no fixed batching interval is right. At light load a write waits **{Figure.Of(latency.Ours)} times** as long ({latency.Around}) under
            the paper's longest as under Stout; at full load Stout carries **{Figure.Of(capacity.Ours)} times** the requests ({capacity.Around}) of the shortest. Between, at {overhead.Count} loads, the mean latency is
            {Percent(overhead[0])} to {Percent(overhead[^1])} of the best fixed interval's, which nobody knows in advance ([how it was measured](docs/evaluation.md)).
            """;

        Document? Find(string experiment) => documents.SingleOrDefault(document => document.Experiment == experiment && document.Store == Store && document.Law == Law);
    }

    private static string Percent(double overhead) => FormattableString.Invariant($"{100 * (1 + overhead):0} %");
}

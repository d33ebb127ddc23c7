namespace Stout.Experiments.Output.Report;

/// <summary>The sentences of the project's first page that rest on measurements: made of the evaluation's data, so that nobody can round them up by hand.</summary>
internal static class ReadmeHeadline
{
    public const string Begin = "<!-- headline: made by the experiments' report, of docs/evaluation -->";
    public const string End = "<!-- end of the headline -->";
    public const string Needs = "fig8 on postgres and on the model, fig10 on the model, the default law";

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
        if (Find("fig8", "postgres") is not { } real || Find("fig8", "model") is not { } curves || Find("fig10", "model") is not { } overheads)
            return null;
        var (latency, capacity) = (real.Result.Headlines[2], real.Result.Headlines[5]);
        var (modelled, overhead) = (curves.Result.Headlines[5], overheads.Result.Headlines[2]);
        return $"""
            On one real PostgreSQL with fsync, shared by several services, a write at light load waits **{Figure.Of(latency.Ours)} times** as long ({latency.Around}) under the paper's longest
            batching interval as under Stout, and at full load Stout carries {Figure.Of(capacity.Ours)} times the requests ({capacity.Around}) of the shortest. On a model of the paper's store, which the shortest
            overloads, Stout carries **{Figure.Of(modelled.Ours)} times** its load; the {overhead.Name} over the best fixed interval, which nobody knows in advance, is **{Percent(overhead.Ours)}**
            ([how it was measured](docs/evaluation.md)).
            """;

        Document? Find(string experiment, string store) =>
            documents.SingleOrDefault(document => document.Experiment == experiment && document.Store == store && document.Model?.Name is null or "one" && document.Law == Law);
    }

    private static string Percent(double? share) => FormattableString.Invariant($"{100 * share:0} %");
}

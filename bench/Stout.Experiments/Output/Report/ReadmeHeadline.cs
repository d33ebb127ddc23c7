namespace Stout.Experiments.Output.Report;

/// <summary>The sentences of the project's first page that rest on measurements: made of the evaluation's data, and not by hand.</summary>
internal static class ReadmeHeadline
{
    public const string Begin = "<!-- headline: made by the experiments' report, of docs/evaluation -->";
    public const string End = "<!-- end of the headline -->";

    private const string Law = "delay";
    private const string Unmeasured = "[Pacing](docs/pacing.md#how-good-it-is) has the figures of the present pacing law.";

    /// <summary>The page with the headline put between its marks; null if it has none.</summary>
    public static string? Inserted(string page, IReadOnlyList<Document> documents)
    {
        var (begin, end) = (page.IndexOf(Begin, StringComparison.Ordinal), page.IndexOf(End, StringComparison.Ordinal));
        return begin >= 0 && end > begin ? $"{page[..(begin + Begin.Length)]}\n{Of(documents)}\n{page[end..]}" : null;
    }

    /// <summary>The headline as Markdown, of real PostgreSQL, of the model and of stores drawn at random, as far as each was measured with the default law.</summary>
    public static string Of(IReadOnlyList<Document> documents)
    {
        string[] sentences = [.. new[] { OnPostgreSql(Find("fig8", "postgres")), OnModel(Find("fig8", "model"), Find("fig10", "model")), OnDrawnStores(documents) }.OfType<string>()];
        return sentences.Length == 0 ? Unmeasured : string.Join('\n', [.. sentences, "([How it was measured](docs/evaluation.md).)"]);

        Document? Find(string experiment, string store) =>
            documents.SingleOrDefault(document => document.Experiment == experiment && document.Store == store && document.Model?.Name is null or "one" && document.Law == Law);
    }

    private static string? OnPostgreSql(Document? curves)
    {
        if (curves is null)
            return null;
        var (latency, capacity) = (curves.Result.Headlines[2], curves.Result.Headlines[5]);
        return $"""
            On one real PostgreSQL with fsync, shared by several services, a write at light load waits **{Figure.Of(latency.Ours)} times** as long ({latency.Around}) under the paper's longest
            batching interval as under Stout, and at full load Stout carries {Figure.Of(capacity.Ours)} times the requests ({capacity.Around}) of the shortest.
            """;
    }

    private static string? OnModel(Document? curves, Document? overheads)
    {
        if (curves is null || overheads is null)
            return null;
        var (carried, overhead) = (curves.Result.Headlines[5], overheads.Result.Headlines[2]);
        return $"""
            On a model of the paper's store Stout carries **{Figure.Of(carried.Ours)} times** the load of the paper's shortest batching interval; the {overhead.Name} over the best
            fixed interval, which is not known in advance, is **{Percent(overhead.Ours)}**.
            """;
    }

    private static string? OnDrawnStores(IReadOnlyList<Document> documents)
    {
        if (documents.SingleOrDefault(static document => document.Stem == $"goals-{Law}-random") is not { } goals)
            return null;
        var (cells, mean, percentile) = (goals.Result.Headlines[0], goals.Result.Headlines[1], goals.Result.Headlines[2]);
        return $"""
            On {Figure.Of(cells.Ours)} stores, loads and numbers of servers drawn at random (a model that drives the production code), a write takes **{Figure.Of(mean.Ours)} times** as long as with the best
            batching interval or window for each, which is not known in advance; {Figure.Of(percentile.Ours)} times or less in 95 % of them.
            """;
    }

    private static string Percent(double? share) => FormattableString.Invariant($"{100 * share:0} %");
}

namespace Stout.Experiments.Output.Report;

/// <summary>The headlines of all runs on real stores, one below the other.</summary>
internal static class RealFigures
{
    public const string Title = "On real stores";

    public static IReadOnlyList<string> Columns { get; } = ["experiment", "law and store", "figure", "ours", "spread"];

    /// <summary>The indexes of the columns that hold numbers.</summary>
    public static IReadOnlyList<int> Numbers { get; } = [3, 4];

    /// <summary>The documents' rows; empty without a real store.</summary>
    public static IReadOnlyList<(Document Document, IReadOnlyList<string> Cells)> RowsOf(IEnumerable<Document> documents) =>
    [
        .. documents.Where(document => document.RealStore is not null).SelectMany(document => document.Result.Headlines.Select(headline =>
            (document, (IReadOnlyList<string>)[document.Experiment, document.Setting, headline.Label, Figure.Of(headline.Ours, "never"), headline.Around]))),
    ];
}

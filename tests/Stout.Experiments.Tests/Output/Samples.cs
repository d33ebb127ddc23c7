using Stout.Experiments.Experiments;
using Stout.Experiments.Laws;
using Stout.Experiments.Output;

namespace Stout.Experiments.Tests.Output;

/// <summary>Made-up results, for tests of the output.</summary>
internal static class Samples
{
    public static Document Document(string experiment = "fig8", ExperimentResult? result = null, RunSettings? settings = null) =>
        RunDocument.Of(Catalogue.Find(experiment)!, settings ?? new RunSettings { Law = LawCatalogue.Find("paper")! }, result ?? Result());

    public static ExperimentResult Result() => new()
    {
        Table = Table(),
        Headlines =
        [
            new("near", "ms", 9.5, 10), new("far", "ms", 30, 10, "the store <waits>"), new("far, open", "", 1, 10), new("never seen", "s", null, 32),
            new("without the paper", "", 3),
        ],
        Plots = [new("Latency & load", "rate", "meanMs", "policy", Logarithmic: true, new PaperPoint("Stout, in the paper", 6_000, 4.2))],
        Notes = ["A note with <angles> & more."],
    };

    public static Table Table()
    {
        var table = new Table(new Column("policy"), new Column("rate", "requests/s"), new Column("meanMs", "ms"), new Column("overloaded"));
        table.Add("paper", 6_000.0, 4.0, false);
        table.Add("paper", 12_000.0, 50.0, false);
        table.Add("paper", 41_000.0, 9_000.0, true);
        table.Add("fixed-20", 6_000.0, 24.0, false);
        table.Add("fixed-20", 12_000.0, double.NaN, false);
        table.Add("fixed-20", 18_000.0, 26.0, false);
        return table;
    }
}

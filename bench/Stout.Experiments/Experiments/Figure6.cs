using Stout.Experiments.Laws;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figure 6: the gain of write collapsing alone, with many and with few documents.</summary>
internal sealed class Figure6 : IExperiment
{
    private const double MostTried = 80_000;

    public string Name => "fig6";

    public string Title => "write collapsing without batching, 10,000 against 100 documents";

    public LawScope Scope => LawScope.Process;

    public bool LawMatters => false;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        Curve[] curves = [Collapsing(10, 10_000), Collapsing(20, 10_000), Collapsing(10, 100), Collapsing(20, 100)];
        double[] loads = context.Pick<double[]>([4_000, 6_000, 8_000, 10_000, 11_000, 12_000, 15_000, 20_000, 40_000, 80_000], [6_000, 12_000, 20_000]);
        var points = await CurveExperiment.RunAsync(context, curves, loads);
        var capacities = await CapacitySearch.HighestAsync(context, curves, points, MostTried);
        var result = new ExperimentResult
        {
            Table = CurveExperiment.TableOf(context, points),
            Headlines =
            [
                new("10,000 documents, 10 ms: highest rate", "requests/s", capacities[0], 12_000),
                new("10,000 documents, 20 ms: highest rate", "requests/s", capacities[1], 12_000),
                new("100 documents, 10 ms: highest rate", "requests/s", capacities[2], 15_000, Why.Pipelined),
                new("100 documents, 20 ms: highest rate", "requests/s", capacities[3], 80_000),
            ],
            Plots = [new("Write latency without batching", "rate", "meanMs", "policy", Logarithmic: true)],
            Notes =
            [
                $"No rate above {MostTried:N0} requests/s is tried; the paper's middle tiers were the bottleneck there, and the model's take no time.",
                "A document has one write in flight at most here: with 100 documents no more than 100 writes can wait, so the store never falls behind, whatever the rate.",
            ],
        };
        result.Summary["rows"] = CurveRows.Of(points);
        return result;

        Curve Collapsing(double interval, int documents) => new(
            $"{interval} ms, {documents} documents", load => context.Constant(LawCatalogue.Separate(interval), load) with { Documents = documents });
    }
}

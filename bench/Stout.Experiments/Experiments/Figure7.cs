using Stout.Experiments.Laws;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figure 7: the gain of batching. Writes collapse in the same way with and without batching.</summary>
internal sealed class Figure7 : IExperiment
{
    public string Name => "fig7";

    public string Title => "batching on and off at 10 and 20 ms";

    public LawScope Scope => LawScope.Process;

    public bool LawMatters => false;

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        PacingChoice[] laws = [LawCatalogue.Fixed(10), LawCatalogue.Separate(10), LawCatalogue.Fixed(20), LawCatalogue.Separate(20)];
        Curve[] curves = [.. laws.Select(law => CurveExperiment.Of(context, law))];
        double[] loads = context.Pick<double[]>([4_000, 6_000, 8_000, 10_000, 11_000, 12_000, 13_000, 14_000, 15_000, 16_000, 17_000, 18_000], [10_000, 14_000, 16_000]);
        var points = await CurveExperiment.RunAsync(context, curves, loads);
        var capacities = await CapacitySearch.HighestAsync(context, curves, points, 40_000);
        var result = new ExperimentResult
        {
            Table = CurveExperiment.TableOf(context, points),
            Headlines =
            [
                new("batching gains at 10 ms", "requests/s", capacities[0] - capacities[1]),
                new("batching gains at 20 ms", "requests/s", capacities[2] - capacities[3], 6_000),
            ],
            Plots = [new("Write latency with and without batching", "rate", "meanMs", "policy", Logarithmic: true)],
        };
        result.Summary["rows"] = CurveRows.Of(points);
        return result;
    }
}

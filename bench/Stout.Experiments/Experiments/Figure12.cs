using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Figure 12: a store like PacificA, whose log compaction pauses it more often the higher the load.</summary>
internal sealed class Figure12 : IExperiment
{
    private const int Tiers = 16;

    public string Name => "fig12";

    public string Title => "a store like PacificA, the law calibrated anew";

    public LawScope Scope => LawScope.Process;

    public ModelledStore? Model => new(StoreKinds.PacificA.Name, StoreKinds.PacificA.Description);

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var law = context.Law.Name == "paper" ? LawCatalogue.Find("paper-pacifica")! : context.Law;
        PacingChoice[] laws = [law, LawCatalogue.Fixed(20), LawCatalogue.Fixed(40), LawCatalogue.Fixed(80), LawCatalogue.Fixed(160)];
        Curve[] curves = [.. laws.Select(OnPacificA)];
        var loads = context.Pick(StoreKinds.PacificA.Loads, [5_000, 15_000]);
        var points = await CurveExperiment.RunAsync(context, curves, loads);
        var light = CurveExperiment.MeanOf(points, law.Name, loads[0]);
        var result = new ExperimentResult
        {
            Table = CurveExperiment.TableOf(context, points),
            Headlines =
            [
                new("the law's latency over the best of 20 and 40 ms at the lowest load", "", light / BestShort(loads[0])),
                new("the highest rate at which the law's queue does not grow", "requests/s", points.Where(p => p.Policy == law.Name && !p.Run.Overloaded).Max(p => p.Load)),
            ],
            Plots = [new("Mean write latency over load, PacificA", "rate", "meanMs", "policy", Logarithmic: true)],
            Notes =
            [
                $"{StoreKinds.PacificA.Description}. These figures are a guess: the paper gives none. {Tiers} middle tiers, as there.",
                "The paper says of this figure only that the law compares favourably with 20 and 40 ms at low load, and has difficulty above 22.2k requests/s.",
            ],
        };
        result.Summary["rows"] = CurveRows.Of(points);
        return result;

        Curve OnPacificA(PacingChoice choice) => new(
            choice.Name,
            load => context.Constant(choice, load) with { Store = StoreKinds.PacificA, Tiers = Tiers, Documents = 2_000 * Tiers });

        double BestShort(double load) => Math.Min(CurveExperiment.MeanOf(points, "fixed-20", load), CurveExperiment.MeanOf(points, "fixed-40", load));
    }
}

using Stout.Director.Simulation.Baselines;

namespace Stout.Director.Experiments;

/// <summary>Compares the Director with other ways to place bins and to choose the number of servers, on both of the paper's loads.</summary>
internal sealed class BaselinesExperiment() : DirectorExperiment("director-baselines", "the Director beside static allocation, the autoscaler's rule and others")
{
    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = TableWithAttained(new("load"), new("controller"), new("violations"), new("units"), new("moves"));
        var model = TrainedModels.SmallInstance;
        var means = Day(context, 6, 21);
        foreach (var load in new[] { "diurnal", "hotspot" })
        {
            SimulationSettings Of(DirectorPolicy policy, int seed) => load == "diurnal"
                ? PaperScenarios.Diurnal(model, means, policy, seed, SimulationMode.Flow)
                : PaperScenarios.Hotspot(model, policy, seed, SimulationMode.Flow);
            Add("the Director", seed => Of(DirectorPolicy.Default, seed));
            Add("the paper's policy", seed => Of(DirectorPolicy.Paper(), seed));
            // The servers that the peak needs: 12 for the diurnal load, and 18 for the hotspot's 60,000 requests/s.
            var peak = load == "diurnal" ? 12 : 18;
            Add("static, 100 %", Baseline(BaselineKind.Static, peak));
            Add("static, 70 %", Baseline(BaselineKind.Static, (int)Math.Round(peak / 0.7)));
            Add("bins by count, 100 %", Baseline(BaselineKind.Count, peak));
            Add("autoscaler at 70 %, bins by count", Baseline(BaselineKind.Hpa, null));
            Add("autoscaler at 90 %, bins by count", Baseline(BaselineKind.Hpa, null, 0.9));
            Add("autoscaler at 70 %, new activations only", Baseline(BaselineKind.NewActivations, null));
            Add("closed loop on the 99th percentile", Baseline(BaselineKind.ClosedLoop, null));

            Func<int, SimulationSettings> Baseline(BaselineKind kind, int? servers, double target = 0.7) => seed => Under(kind, Of(DirectorPolicy.Default, seed), servers, target);

            void Add(string name, Func<int, SimulationSettings> settings)
            {
                var runs = RunAll(context, settings);
                AddRow(table, runs, load, name, Median(runs, run => run.Violations(99, OneMinute)), Median(runs, run => run.Units), Median(runs, run => run.Moves));
            }
        }

        return new ExperimentResult
        {
            Table = table,
            Notes = ["Violations: minutes with more than 1 % of reads over 100 ms. Medians over the seeds, in flow mode. Static allocations begin with bins spread by load, which an operator could not know beforehand."],
        };
    }
}

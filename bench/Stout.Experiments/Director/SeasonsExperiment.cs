using Stout.Director;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;
using Stout.Experiments.Experiments;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;

namespace Stout.Experiments.Director;

/// <summary>Seven similar days: what the forecasting policy saves at a percentile that the paper's policy violates.</summary>
internal sealed class SeasonsExperiment : DirectorExperiment
{
    private const int EnoughMinutes = 20;
    private const double Step = 0.05;

    public override string Name => "director-seasons";

    public override string Title => "seven similar days under the forecasting policy";

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("speed"), new Column("seed"), new Column("policy"), new Column("percentile"), new Column("violatedMinutes"), new Column("units"));
        var headlines = new List<Headline>();
        foreach (var isFast in new[] { true, false })
        {
            var (minutes, units) = (new List<double>(), new List<double>());
            foreach (var seed in SeedsOf(context))
            {
                var paper = Simulate(DirectorPolicy.Paper());
                // The lowest percentile that the paper's policy violates in enough minutes.
                var percentile = 95.0;
                while (paper.Violations(percentile, OneMinute) < EnoughMinutes && percentile < 99.95)
                    percentile += Step;
                Add("the paper's policy", paper);
                var forecasting = Add("forecasting", Simulate(DirectorPolicy.Forecasting));
                Add("the same without the forecast", Simulate(DirectorPolicy.Forecasting with { Forecast = Stout.Director.Loads.ForecastKind.Trend }));
                Add("default", Simulate(DirectorPolicy.Default));
                minutes.Add(100.0 * forecasting.Violations(percentile, OneMinute) / paper.Violations(percentile, OneMinute));
                units.Add((double)forecasting.Units / paper.Units);

                SimulationResult Simulate(DirectorPolicy policy) =>
                    context.RunAsync(() => SimulationRun.Run(BeyondScenarios.SimilarDays(TrainedModels.SmallInstance, policy, seed, isFast), cancellationToken: context.CancellationToken)).GetAwaiter().GetResult();

                SimulationResult Add(string name, SimulationResult run)
                {
                    table.Add(isFast ? "12 x" : "real time", seed, name, percentile, run.Violations(percentile, OneMinute), run.Units);
                    return run;
                }
            }

            var speed = isFast ? "12 x speed" : "real time";
            headlines.Add(Headline.Of($"{speed}: violated minutes in shares of the paper's policy's (goal: at most 50)", "%", Estimate.Of(minutes)));
            headlines.Add(Headline.Of($"{speed}: units in shares of the paper's policy's (goal: at most 1.05)", "", Estimate.Of(units)));
        }

        return new ExperimentResult { Table = table, Headlines = headlines };
    }
}

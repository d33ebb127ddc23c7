using Stout.Director;
using Stout.Director.Loads;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;
using Stout.Experiments.Experiments;
using Stout.Experiments.Output;

namespace Stout.Experiments.Director;

/// <summary>The World Cup's load from 10 June to 12 July, day by day, with and without the seasonal forecast.</summary>
internal sealed class WorldCupExperiment : DirectorExperiment
{
    private const int Days = 33;

    public override string Name => "director-worldcup";

    public override string Title => "the World Cup's load from 06-10 to 07-12, with and without the seasonal forecast";

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var means = Day(context, 6, 10, context.Pick(Days, 2));
        var table = new Table(new Column("policy"), new Column("day"), new Column("violated99"), new Column("violated995"), new Column("meanServers"));
        var headlines = new List<Headline>();
        foreach (var (name, policy) in new[]
        {
            ("the paper's policy", DirectorPolicy.Paper()),
            ("trend", DirectorPolicy.Default),
            ("seasonal", DirectorPolicy.Default with { Forecast = ForecastKind.Seasonal }),
            ("forecasting", DirectorPolicy.Forecasting),
        })
        {
            var run = context.RunAsync(() => SimulationRun.Run(BeyondScenarios.RealTime(TrainedModels.SmallInstance, means, policy, context.Settings.Seed), cancellationToken: context.CancellationToken)).GetAwaiter().GetResult();
            var day = 0;
            foreach (var intervals in run.Intervals.Chunk(24 * 180))
            {
                var one = run with { Intervals = intervals };
                table.Add(name, new DateTime(1998, 6, 10).AddDays(day++).ToString("MM-dd", System.Globalization.CultureInfo.InvariantCulture), one.Violations(99, OneMinute), one.Violations(99.5, OneMinute), intervals.Average(interval => interval.Servers));
            }

            headlines.Add(new($"{name}: minutes with a 99th percentile over 100 ms", "", run.Violations(99, OneMinute)));
            headlines.Add(new($"{name}: minutes with a 99.5th percentile over 100 ms", "", run.Violations(99.5, OneMinute)));
            headlines.Add(new($"{name}: units", "", run.Units));
            headlines.Add(new($"{name}: bins moved", "", run.Moves));
        }

        return new ExperimentResult { Table = table, Headlines = headlines, Plots = [new("Minutes with a 99th percentile over 100 ms", "day", "violated99", "policy")] };
    }
}

using System.Globalization;
using Stout.Director;
using Stout.Director.Loads;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;
using Stout.Experiments.Experiments;
using Stout.Experiments.Output;

namespace Stout.Experiments.Director;

/// <summary>The World Cup's load from 10 June to 12 July, day by day, with and without the seasonal forecast.</summary>
internal sealed class WorldCupExperiment() : DirectorExperiment("director-worldcup", "the World Cup's load from 06-10 to 07-12, with and without the seasonal forecast")
{
    private const int Days = 33;

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var means = Day(context, 6, 10, context.Pick(Days, 2));
        var table = new Table(new Column("policy"), new Column("day"), new Column("date"), new Column("violated99"), new Column("violated995"), new Column("meanServers"));
        var headlines = new List<Headline>();
        var trend = Add("trend", DirectorPolicy.Default);
        var seasonal = Add("seasonal", DirectorPolicy.Default with { Forecast = ForecastKind.Seasonal });
        Add("forecasting without its forecast", DirectorPolicy.Forecasting with { Forecast = ForecastKind.Trend });
        Add("forecasting", DirectorPolicy.Forecasting);
        Add("the paper's policy", DirectorPolicy.Paper());
        headlines.Add(new("seasonal: minutes with a 99.5th percentile over 100 ms, more than without the forecast (goal: at most 5)", "%", 100.0 * (seasonal.Sum() - trend.Sum()) / Math.Max(1, trend.Sum())));
        headlines.Add(new("seasonal: days with more such minutes than without the forecast", "", seasonal.Zip(trend).Count(day => day.First > day.Second)));
        headlines.Add(new("seasonal: days with fewer", "", seasonal.Zip(trend).Count(day => day.First < day.Second)));
        headlines.Add(new("seasonal: the most such minutes that a day has more than without the forecast", "", seasonal.Zip(trend).Max(day => day.First - day.Second)));
        return new ExperimentResult { Table = table, Headlines = headlines, Plots = [new("Minutes with a 99.5th percentile over 100 ms", "day", "violated995", "policy")] };

        // Runs a policy, adds its rows and headlines, and returns the violated minutes of each day.
        IReadOnlyList<int> Add(string name, DirectorPolicy policy)
        {
            var run = Simulate(context, BeyondScenarios.RealTime(TrainedModels.SmallInstance, means, policy, context.Settings.Seed));
            var minutes = new List<int>();
            foreach (var (day, intervals) in run.Intervals.Chunk(24 * 180).Index())
            {
                var one = run with { Intervals = intervals };
                minutes.Add(one.Violations(99.5, OneMinute));
                table.Add(
                    name, day + 1, new DateTime(1998, 6, 10).AddDays(day).ToString("MM-dd", CultureInfo.InvariantCulture),
                    one.Violations(99, OneMinute), minutes[^1], intervals.Average(interval => interval.Servers));
            }

            headlines.Add(new($"{name}: minutes with a 99th percentile over 100 ms", "", run.Violations(99, OneMinute)));
            headlines.Add(new($"{name}: minutes with a 99.5th percentile over 100 ms", "", run.Violations(99.5, OneMinute)));
            headlines.Add(new($"{name}: units", "", run.Units));
            headlines.Add(new($"{name}: bins moved", "", run.Moves));
            return minutes;
        }
    }
}

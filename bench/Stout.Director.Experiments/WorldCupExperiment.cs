using System.Globalization;
using Stout.Director.Simulation.Baselines;

namespace Stout.Director.Experiments;

/// <summary>The World Cup's load from 10 June to 12 July in real time, day by day.</summary>
internal sealed class WorldCupExperiment() : DirectorExperiment("director-worldcup", "the World Cup's load from 06-10 to 07-12, in real time")
{
    private const int DaysOfLoad = 33;

    // The peak needs 12 servers, here at 70 % of their capacity.
    private const int StaticServers = 17;

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var means = Day(context, 6, 10, context.Pick(DaysOfLoad, 2));
        var table = new Table(new Column("policy"), new Column("day"), new Column("date"), new Column("violated99"), new Column("violated995"), new Column("meanServers"));
        var headlines = new List<Headline>();
        Add("default", Days(DirectorPolicy.Default));
        Add("the paper's policy", Days(DirectorPolicy.Paper()));
        Add("autoscaler at 70 %", Under(BaselineKind.Hpa, Days(DirectorPolicy.Default)));
        Add("static, 70 %", Under(BaselineKind.Static, Days(DirectorPolicy.Default), StaticServers));
        return new ExperimentResult { Table = table, Headlines = headlines, Plots = [new("Minutes with a 99.5th percentile over 100 ms", "day", "violated995", "policy")] };

        SimulationSettings Days(DirectorPolicy policy) => BeyondScenarios.RealTime(TrainedModels.SmallInstance, means, policy, context.Settings.Seed);

        // Runs a controller, and adds its rows and headlines.
        void Add(string name, SimulationSettings settings)
        {
            var run = Simulate(context, settings);
            foreach (var (day, intervals) in run.Intervals.Chunk(24 * 180).Index())
            {
                var one = run with { Intervals = intervals };
                table.Add(
                    name, day + 1, new DateTime(1998, 6, 10).AddDays(day).ToString("MM-dd", CultureInfo.InvariantCulture),
                    one.Violations(99, OneMinute), one.Violations(99.5, OneMinute), intervals.Average(interval => interval.Servers));
            }

            headlines.Add(new($"{name}: minutes with a 99th percentile over 100 ms", "", run.Violations(99, OneMinute)));
            headlines.Add(new($"{name}: minutes with a 99.5th percentile over 100 ms", "", run.Violations(99.5, OneMinute)));
            headlines.Add(new($"{name}: units", "", run.Units));
            headlines.Add(new($"{name}: bins moved", "", run.Moves));
        }
    }
}

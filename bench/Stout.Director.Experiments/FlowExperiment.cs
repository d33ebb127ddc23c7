using Stout.Experiments.Measuring;

namespace Stout.Director.Experiments;

/// <summary>
/// Compares the simulation's flow mode, which computes the share of slow requests from a model, with the exact mode. Runs both of the paper's loads.
/// </summary>
internal sealed class FlowExperiment() : DirectorExperiment("director-flow", "the flow mode beside the exact mode")
{
    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = TableWithAttained(new("load"), new("policy"), new("seed"), new("mode"), new("units"), new("violations"));
        var headlines = new List<Headline>();
        var means = Day(context, 6, 21);
        var model = TrainedModels.SmallInstance;
        foreach (var (name, policy) in new[] { ("ours", DirectorPolicy.Default), ("the paper's policy", DirectorPolicy.Paper()) }.Take(context.Pick(2, 1)))
        {
            Compare("hotspot", (seed, mode) => PaperScenarios.Hotspot(model, policy, seed, mode));
            Compare("diurnal", (seed, mode) => PaperScenarios.Diurnal(model, means, policy, seed, mode));

            void Compare(string load, Func<int, SimulationMode, SimulationSettings> settings)
            {
                var exact = Add(SimulationMode.Exact);
                var flow = Add(SimulationMode.Flow);
                var units = exact.Zip(flow, (one, other) => 100.0 * (other.Units - one.Units) / one.Units);
                headlines.Add(Headline.Of($"{load}, {name}: units, flow over exact, seed by seed (goal: 3)", "%", Estimate.Of([.. units])));
                headlines.Add(new Headline($"{load}, {name}: median units, flow over exact (goal: 3)", "%", 100 * (Median(flow, run => run.Units) / Median(exact, run => run.Units) - 1)));
                var steps = exact.Zip(flow).SelectMany(pair => Intervals.Select(interval => (double)(Step(pair.Second, interval) - Step(pair.First, interval))));
                headlines.Add(Headline.Of($"{load}, {name}: steps of the attained percentile, flow above exact (goal: 1)", "", Estimate.Of([.. steps])));

                IReadOnlyList<SimulationResult> Add(SimulationMode mode)
                {
                    var runs = RunAll(context, seed => settings(seed, mode));
                    foreach (var (seed, run) in SeedsOf(context).Zip(runs))
                        AddRow(table, [run], load, name, seed, mode.ToString(), run.Units, run.Violations(99, OneMinute));
                    return runs;
                }
            }
        }

        return new ExperimentResult { Table = table, Headlines = headlines };
    }

    // Counts the percentiles of `SimulationResult.Percentiles` that the run attains: 0 if it misses even the lowest.
    private static int Step(SimulationResult run, TimeSpan interval) => SimulationResult.Percentiles.Count(percentile => percentile <= run.AttainedPercentile(interval));
}

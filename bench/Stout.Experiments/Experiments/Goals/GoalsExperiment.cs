using System.Text.Json.Nodes;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>Every goal that a default law is held to, measured, on all stores of the model: what a change of a law does everywhere.</summary>
internal sealed class GoalsExperiment : IExperiment
{
    public string Name => "goals";

    public string Title => "what a default law is held to";

    public LawScope Scope => LawScope.Lane;

    public ModelledStore? Model => new("several", "each kind in turn");

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var grid = GoalGrid.Of(context.Settings.Grid, context.Settings.Effort);
        var seeds = Enumerable.Range(context.Settings.Seed, grid.Seeds).ToList();
        var allSeeds = Enumerable.Range(context.Settings.Seed, grid.MostSeeds).ToList();
        var steady = grid.Stores.SelectMany(store => grid.Tiers.SelectMany(tiers => grid.Shares.Select(share => new SteadyGoals(context, store, tiers, share).MeasureAsync(seeds, allSeeds))));
        var goals = (await Task.WhenAll(steady.Concat(new ChangeGoals(context, allSeeds).All()))).SelectMany(some => some).ToList();

        var table = new Table(new Column("goal"), new Column("place"), new Column("measured"), new Column("limit"), new Column("met"), new Column("told"), new Column("single"), new Column("low"), new Column("high"), new Column("seeds"));
        foreach (var goal in goals)
            table.Add(goal.Name, goal.Place, goal.Measured, goal.Limit, goal.IsMet, goal.Told, goal.Single, goal.Pairs?.Low, goal.Pairs?.High, goal.Pairs?.Pairs);
        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [new("share of the goals met", "%", 100.0 * goals.Count(goal => goal.IsMet) / goals.Count), .. goals.GroupBy(goal => goal.Name).Select(Worst)],
            Notes =
            [
                "A goal's headline is its worst figure, and says at how many places it is met.",
                "Under a constant load: one partition, writes alone, loads as shares of what an interval of 400 ms carries; figures are ratios of means over the seeds. Fixed intervals in steps of √2; one seed finds the best, all decide between it and its "
                + "neighbours. Where load, store or company change: the paper's workload on four partitions; medians of the seeds, but for what settles. All begin with a cold start.",
                "low, high: the 95 % interval of the seeds' ratios. Where it has the limit in it more seeds are run, and all of them count. Changes are measured with all at once: five say little.",
                "What settles is the mean over the seeds of each second's latency, over what its run comes to; single: the median of the seeds' own times. On a store that answers a few dozen requests in a second its mean scatters by 4 to 7 % at the best fixed "
                + "interval too, however long that has been there, so that a single run may be out of a tenth for seconds at any time.",
                "told: what a fixed interval comes to that is told of the change when it happens, the soonest of those whose mean latency is then at most a tenth above the best; no batching before it.",
            ],
        };
        result.Summary["rows"] = new JsonArray([.. goals.Select(static JsonNode (goal) => new JsonObject
        {
            ["goal"] = goal.Name,
            ["place"] = goal.Place,
            ["measured"] = Json.Value(goal.Measured),
            ["limit"] = Json.Value(goal.Limit),
            ["met"] = goal.IsMet,
            ["told"] = Json.Value(goal.Told),
            ["single"] = Json.Value(goal.Single),
            ["low"] = Json.Value(goal.Pairs?.Low),
            ["high"] = Json.Value(goal.Pairs?.High),
            ["seeds"] = goal.Pairs?.Pairs,
        })]);
        return result;
    }

    private static Headline Worst(IGrouping<string, Goal> goals)
    {
        var worst = goals.MaxBy(goal => goal.Badness)!;
        return new Headline($"{goals.Key}, met at {goals.Count(goal => goal.IsMet)} of {goals.Count()}; worst at {worst.Place}", "", double.IsFinite(worst.Measured) ? worst.Measured : null);
    }
}

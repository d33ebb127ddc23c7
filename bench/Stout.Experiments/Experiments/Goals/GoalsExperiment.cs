using System.Text.Json.Nodes;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>Every goal that a default law is held to, measured, on all stores of the model: what a change of a law does everywhere.</summary>
internal sealed class GoalsExperiment : IExperiment
{
    private static readonly StoreKind[] Stores = [StoreKinds.One, StoreKinds.Workers8, StoreKinds.GroupCommit, StoreKinds.PacificA];

    public string Name => "goals";

    public string Title => "what a default law is held to";

    public LawScope Scope => LawScope.Lane;

    public ModelledStore? Model => new("several", "each kind in turn");

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        var grid = LawGrid.Of(context.Settings.Grid, context.Settings.Effort) with { Tiers = context.Pick<int[]>([1, 4, 32], [32]) };
        var seeds = Enumerable.Range(context.Settings.Seed, context.Settings.Grid == "full" ? 5 : context.Pick(2, 1)).ToList();
        var steady = Stores.Take(grid.Stores).SelectMany(store => grid.Tiers.SelectMany(tiers => grid.LoadsOf(store).Select(load =>
            SteadyGoals.MeasureAsync(context, grid, store, tiers, load, seeds))));
        var goals = (await Task.WhenAll(steady.Concat(new ChangeGoals(context, seeds).All()).ToList())).SelectMany(some => some).ToList();

        var table = new Table(new Column("goal"), new Column("place"), new Column("measured"), new Column("limit"), new Column("met"));
        foreach (var goal in goals)
            table.Add(goal.Name, goal.Place, goal.Measured, goal.Limit, goal.IsMet);
        var result = new ExperimentResult
        {
            Table = table,
            Headlines = [new("share of the goals met", "%", 100.0 * goals.Count(goal => goal.IsMet) / goals.Count), .. goals.GroupBy(goal => goal.Name).Select(Worst)],
            Notes =
            [
                "A goal's headline is its worst figure, and says at how many places it is met.",
                "The best fixed interval and the windows are measured with one seed; the law's figures are means over the seeds, medians where they are times. All begin with a cold start.",
            ],
        };
        result.Summary["rows"] = new JsonArray([.. goals.Select(static JsonNode (goal) => new JsonObject
        {
            ["goal"] = goal.Name,
            ["place"] = goal.Place,
            ["measured"] = Json.Value(goal.Measured),
            ["limit"] = Json.Value(goal.Limit),
            ["met"] = goal.IsMet,
        })]);
        return result;
    }

    private static Headline Worst(IGrouping<string, Goal> goals)
    {
        var worst = goals.MaxBy(goal => goal.Badness)!;
        return new Headline($"{goals.Key}, met at {goals.Count(goal => goal.IsMet)} of {goals.Count()}; worst at {worst.Place}", "", double.IsFinite(worst.Measured) ? worst.Measured : null);
    }
}

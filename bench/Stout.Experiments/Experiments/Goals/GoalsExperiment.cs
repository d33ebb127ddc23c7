using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>
/// Measures whether a law meets the goals of a default law. With <c>--random</c> it runs on random stores, otherwise under changes of load, store or other
/// lanes' law.
/// </summary>
internal sealed class GoalsExperiment : IExperiment
{
    public string Name => "goals";

    public string Title => "what a default law is held to";

    public LawScope Scope => LawScope.Lane;

    public ModelledStore? Model => new("several", "each kind in turn, or drawn at random");

    public async Task<ExperimentResult> RunAsync(ExperimentContext context)
    {
        if (context.Settings.Random is not null)
            return await new RandomGoals(context).RunAsync();

        var seeds = Enumerable.Range(context.Settings.Seed, context.Settings.Seeds).ToList();
        var goals = (await Task.WhenAll(new ChangeGoals(context, seeds).All())).SelectMany(some => some).ToList();
        var table = new Table(new Column("goal"), new Column("place"), new Column("measured"), new Column("limit"), new Column("met"));
        foreach (var goal in goals)
            table.Add(goal.Name, goal.Place, goal.Measured, goal.Limit, goal.IsMet);
        return new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                new("share of the goals met", "%", 100.0 * goals.Count(goal => goal.IsMet) / goals.Count),
                .. goals.Select(goal => new Headline($"{goal.Name}, {goal.Place}: goal {(goal.AtLeast ? "≥" : "≤")} {Table.Text(goal.Limit)}", "", double.IsFinite(goal.Measured) ? goal.Measured : null)),
            ],
            Notes =
            [
                "The paper's workload on four partitions, unless the place says otherwise; medians of the seeds (--rounds), but for what settles: there the mean over the seeds of each second's latency, over what its run comes to.",
            ],
        };
    }
}

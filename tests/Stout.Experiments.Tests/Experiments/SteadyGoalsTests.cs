using Stout.Experiments.Experiments;
using Stout.Experiments.Experiments.Goals;
using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Tests.Live;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Tests.Experiments;

public sealed class SteadyGoalsTests
{
    private const string OverWindow = "mean over the better window's, 1 or 2";
    private const string OverBest = "mean over the best fixed interval's or no batching's";
    private const string BestFixed = "fixed-32";

    private static readonly PacingChoice Law = LawCatalogue.Default;

    [Fact]
    public async Task A_few_seeds_decide_what_they_can_tell()
    {
        var (goals, seeds) = await MeasureAsync(static _ => 100);
        Assert.Equal([1, 2, 3, 4, 5], seeds);
        var goal = Single(goals, OverWindow);
        Assert.Equal(100 / 90.0, goal.Measured, 2);
        Assert.False(goal.IsMet);
    }

    [Fact]
    public async Task Where_a_limit_lies_within_what_they_differ_by_all_count()
    {
        // At 1.07 times the window with five, at 1.03 with twenty.
        var (goals, seeds) = await MeasureAsync(static seed => seed <= 5 ? seed % 2 == 0 ? 90 : 100.5 : seed % 2 == 0 ? 90 : 93);
        Assert.Equal(Enumerable.Range(1, 20), seeds);
        var goal = Single(goals, OverWindow);
        Assert.Equal(20, goal.Pairs!.Value.Pairs);
        Assert.Equal(1.03, goal.Measured, 2);
        Assert.True(goal.IsMet);
    }

    [Fact]
    public async Task A_law_that_answers_nothing_needs_no_more_seeds_to_miss()
    {
        var (goals, seeds) = await MeasureAsync(static _ => null);
        Assert.Equal([1, 2, 3, 4, 5], seeds);
        Assert.Equal(3, goals.Count(goal => goal.Pairs is not null && !goal.IsMet));
    }

    [Fact]
    public async Task A_fixed_interval_is_no_worse_for_one_run_whose_queue_grows()
    {
        var (goals, _) = await MeasureAsync(static _ => 200, grows: static scenario => scenario is { Law.Name: BestFixed, Seed: 3 });
        Assert.Equal(200 / 100.0, Single(goals, OverBest).Measured, 2);
        Assert.Equal(0, Single(goals, "runs whose queue grows").Limit);
    }

    private static Goal Single(IEnumerable<Goal> goals, string name) => Assert.Single(goals, goal => goal.Name == name);

    // A window of one has 90 ms, the best fixed interval 100 and the others more, what does not batch 400.
    private static double Latency(Scenario scenario) =>
        scenario.Law.Name == "window1" ? 90 : LawCatalogue.IntervalOf(scenario.Law) is > 0 and { } interval ? 100 + Math.Abs(interval - 32) : 400;

    private static async Task<(IReadOnlyList<Goal> Goals, IEnumerable<int> Seeds)> MeasureAsync(Func<int, double?> ours, Func<Scenario, bool>? grows = null)
    {
        var runner = new ScriptedRunner(scenario => scenario.Law == Law ? ours(scenario.Seed) : Latency(scenario), grows: grows);
        using var pool = new RunPool(runner, new KnownRuns(), TestContext.Current.CancellationToken);
        var context = new ExperimentContext(new RunSettings(), new GoalsExperiment(), pool);
        var goals = await new SteadyGoals(context, StoreKinds.One, tiers: 4, share: 0.6).MeasureAsync([.. Enumerable.Range(1, 5)], [.. Enumerable.Range(1, 20)]);
        return ([.. goals], runner.Asked.Where(scenario => scenario.Law == Law).Select(scenario => scenario.Seed).Order());
    }
}

using Stout.Experiments.Experiments;
using Stout.Experiments.Experiments.Goals;
using Stout.Experiments.Laws;
using Stout.Experiments.Model;

namespace Stout.Experiments.Tests.Experiments;

/// <summary>The default law's goals. They are measured in virtual time, so the figures are the same on every machine.</summary>
public sealed class GoalsTests(ITestOutputHelper output)
{
    private const int TuningSeed = 1;

    [Fact]
    public async Task It_meets_its_goals_where_load_store_and_company_change()
    {
        var goals = await RunAsync(new RunSettings { Effort = Effort.Brief, Seeds = 4 }, async context =>
            (await Task.WhenAll(new ChangeGoals(context, [1, 2, 3, 4]).All())).SelectMany(some => some).ToList());

        foreach (var goal in goals)
            output.WriteLine($"{goal.Name}, {goal.Place}: {goal.Measured:0.00}, limit {goal.Limit}");
        Assert.All(goals, goal => Assert.True(goal.IsMet, $"{goal.Name}, {goal.Place}: {goal.Measured:0.00}, limit {goal.Limit}"));
    }

    [Fact]
    public async Task On_stores_drawn_at_random_it_is_never_far_from_the_best_comparator()
    {
        var result = await RunAsync(new RunSettings { Seed = TuningSeed, Random = new RandomSettings(Count: 10, Drift: false, Comparators: null) }, context => new RandomGoals(context).RunAsync());

        foreach (var headline in result.Headlines)
            output.WriteLine($"{headline.Name}: {headline.Ours:0.00}");
        var (ratio, grows, load) = (result.Table.IndexOf("ratio"), result.Table.IndexOf("grows"), result.Table.IndexOf("load"));
        Assert.All(result.Table.Rows, row => Assert.InRange((double)row[ratio]!, 0.5, 5));
        Assert.DoesNotContain(result.Table.Rows, row => (bool)row[grows]! && (double)row[load]! <= 0.9);
    }

    [Fact]
    public async Task For_clients_that_wait_it_is_never_far_from_the_best_comparator()
    {
        var result = await RunAsync(new RunSettings { Seed = TuningSeed, Random = new RandomSettings(Count: 10, Drift: false, Comparators: null, Waiting: true) }, context => new RandomGoals(context).RunAsync());

        foreach (var headline in result.Headlines)
            output.WriteLine($"{headline.Name}: {headline.Ours:0.00}");
        foreach (var note in result.Notes)
            output.WriteLine(note);
        var ratio = result.Table.IndexOf("ratio");
        Assert.All(result.Table.Rows, row => Assert.InRange((double)row[ratio]!, 0.3, 2));
    }

    [Fact]
    public void A_cell_is_the_same_whenever_it_is_drawn()
    {
        var (once, again, other) = (RandomCell.Draw(7, 3), RandomCell.Draw(7, 3), RandomCell.Draw(7, 4));
        Assert.Equal((once.Description, once.Rate), (again.Description, again.Rate));
        Assert.NotEqual(once.Description, other.Description);
        Assert.InRange(once.Load, 0.02, 0.98);
        Assert.InRange(once.Rate, 0, 100_000);
    }

    private static async Task<T> RunAsync<T>(RunSettings settings, Func<ExperimentContext, Task<T>> run)
    {
        settings = settings with { Law = LawCatalogue.Default };
        using var pool = new RunPool(new ModelRunner(2), null, TestContext.Current.CancellationToken);
        return await run(new ExperimentContext(settings, new GoalsExperiment(), pool));
    }
}

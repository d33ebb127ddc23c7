using Stout.Director.Actions;
using Stout.Director.Decisions;

namespace Stout.Director.Tests.Planning;

/// <summary>The bounds of a plan, and the operator's budgets.</summary>
public sealed class BudgetTests
{
    private static readonly DirectorPolicy OneReplica = Some.Plain with { LeastReplicas = 1, ReadFanOut = 1 };
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(20);

    [Fact]
    public void A_plan_leases_a_bounded_number_of_servers_and_says_so()
    {
        var decision = Plan(OneReplica with { Standbys = 100, MostLeases = 7 });
        Assert.Equal(7, Leases(decision));
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.Bounded && finding.Text.Contains("the bound of 7 leases", StringComparison.Ordinal));
    }

    [Fact]
    public void The_budget_of_an_hour_bounds_the_leases_of_all_its_plans()
    {
        var core = Some.Core(1, OneReplica with { Standbys = 100, MostLeasesPerHour = 12 });
        Assert.Equal(10, Leases(Plan(core, 1)));
        var second = Plan(core, 2);
        Assert.Equal(2, Leases(second));
        Assert.Contains(second.Findings, finding => finding.Kind == FindingKind.Budget && finding.Text.Contains("12 leases an hour", StringComparison.Ordinal));
        Assert.Equal(0, Leases(Plan(core, 100)));
        Assert.Equal(10, Leases(Plan(core, 181)));
    }

    [Fact]
    public void The_budget_of_cost_bounds_the_price_of_all_servers()
    {
        // One server is leased. A server costs 1 for each half hour, so the budget allows 3 servers.
        var decision = Plan(OneReplica with { Standbys = 100, ChargeInterval = TimeSpan.FromMinutes(30), MostCostPerHour = 7 });
        Assert.Equal(2, Leases(decision));
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.Budget && finding.Text.Contains("the budget of 7 an hour", StringComparison.Ordinal));
    }

    [Fact]
    public void A_plan_moves_a_bounded_number_of_bins_and_the_next_goes_on()
    {
        // Server 1 holds 50 bins of 0.1 of a server each; 40 of them are too many.
        int[][] replicas = [.. Enumerable.Repeat<int[]>([1], 50)];
        double[] gets = [.. Enumerable.Repeat(100.0, 50)];
        var decision = Some.Core(50, OneReplica with { MostMoves = 6 }).Plan(Period, Some.Cluster(8, replicas, gets, fanOut: 1));
        Assert.Equal(6, decision.Actions.Where(action => action.Kind == ActionKind.Move).Sum(action => action.Bins.Count));
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.Bounded);
        Assert.DoesNotContain(decision.Actions, action => action.Kind == ActionKind.Lease);
    }

    [Fact]
    public void Servers_go_only_when_the_load_has_been_low_for_the_dwell_time()
    {
        var core = Some.Core(4, OneReplica with { Dwell = TimeSpan.FromMinutes(10), ChargeInterval = TimeSpan.FromSeconds(1) });
        int[][] replicas = [[1], [2], [3], [4]];
        Assert.Empty(Next(1, 900));
        for (var plan = 2; plan <= 31; plan++)
            Assert.Empty(Next(plan, 200));
        Assert.All(Next(32, 200), action => Assert.Equal(Rule.Coalesce, action.Reason.Rule));
        Assert.NotEmpty(core.Pending);

        IReadOnlyList<DirectorAction> Next(int plan, double load) => core.Plan(Period * plan, Some.Cluster(4, replicas, [load, load, load, load], fanOut: 1, sequence: plan)).Actions;
    }

    private static Decision Plan(DirectorPolicy policy) => Plan(Some.Core(1, policy), 1);

    // The cluster refuses or forgets all leases: the observed cluster stays the same, and no lease stays pending.
    private static Decision Plan(DirectorCore core, int plan)
    {
        var decision = core.Plan(Period * plan, Some.Cluster(1, [[1]], [300], fanOut: 1, sequence: plan));
        foreach (var lease in decision.Actions)
            core.Answered(new LeaseServer(lease.Id, lease.Type), CommandOutcome.Refused);
        return decision;
    }

    private static int Leases(Decision decision) => decision.Actions.Count(action => action.Kind == ActionKind.Lease);
}

using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Planning;

namespace Stout.Director.Tests.Planning;

public sealed class PlannerTests
{
    private static readonly DirectorPolicy OneReplica = Some.Plain with { LeastReplicas = 1, ReadFanOut = 1 };

    [Fact]
    public void The_hottest_bin_of_an_overloaded_server_goes_to_the_fullest_server_that_can_accept_it()
    {
        // The loads in visits/s: server 1 has 600 + 500 + 200, server 2 has 450, server 3 has 300, and server 4 has 600.
        var decision = Plan(4, [[1], [1], [1], [2], [3], [4]], [600, 500, 200, 450, 300, 600], OneReplica with { Choice = BinChoice.Hottest, Coalesce = CoalesceKind.WholeServers });
        var move = Assert.Single(decision.Actions);
        Assert.Equal((ActionKind.Move, 0, 1, 3), (move.Kind, move.Bins[0], move.From, move.To));
        Assert.Equal(Rule.Overload, move.Reason.Rule);
        Assert.Contains(move.Reason.Rejected, rejection => rejection.Why.Contains("above the limit", StringComparison.Ordinal));
    }

    [Fact]
    public void Our_policy_moves_the_smallest_bin_that_ends_the_overload()
    {
        var move = Assert.Single(Plan(2, [[1], [1], [1], [1], [2]], [500, 300, 200, 160, 100], OneReplica).Actions);
        Assert.Equal((3, 2), (Assert.Single(move.Bins), move.To));
    }

    [Fact]
    public void Without_room_an_empty_server_takes_the_bin_and_without_one_a_server_is_leased()
    {
        var withEmpty = Assert.Single(Plan(3, [[1], [1], [2]], [700, 600, 900], OneReplica).Actions);
        Assert.Equal((ActionKind.Move, 3), (withEmpty.Kind, withEmpty.To));
        var without = Assert.Single(Plan(2, [[1], [1], [2]], [700, 600, 900], OneReplica).Actions);
        Assert.Equal((ActionKind.Lease, Rule.Shortage), (without.Kind, without.Reason.Rule));
    }

    [Fact]
    public void A_bin_too_hot_for_its_servers_is_replicated_to_empty_ones()
    {
        // 3,600 reads/s, each at 2 servers: 7,200 visits/s need 8 servers of 1,000.
        var decision = Plan(10, [[1, 2], [1, 2], [1, 2]], [3_600, 1, 1], Some.Plain);
        var replicates = decision.Actions.Where(action => action.Kind == ActionKind.Replicate).ToList();
        Assert.Equal([3, 4, 5, 6, 7, 8], replicates.Select(action => action.To).Order());
        Assert.All(replicates, action => Assert.Equal(Rule.HotBin, action.Reason.Rule));
    }

    [Fact]
    public void A_bin_that_surges_is_told_with_its_measured_and_expected_load()
    {
        var core = Some.Core(2, OneReplica with { Forecast = Stout.Director.Loads.ForecastKind.Trend });
        for (var plan = 1; plan <= 30; plan++)
            Assert.DoesNotContain(Next(plan, 100).Findings, finding => finding.Kind == FindingKind.Surge);
        Assert.Contains(Next(31, 400).Findings, finding => finding.Kind == FindingKind.Surge && finding.Text.StartsWith("Bin 1 surges: it takes 400 requests/s, where", StringComparison.Ordinal));

        Decision Next(int plan, double load) => core.Plan(TimeSpan.FromSeconds(20 * plan), Some.Cluster(2, [[1], [2]], [500, load], fanOut: 1, sequence: plan));
    }

    [Fact]
    public void One_key_with_more_writes_than_a_server_can_do_cannot_be_helped()
    {
        var decision = Plan(4, [[1, 2]], [10], Some.Plain, puts: [4_000]);
        var finding = Assert.Single(decision.Findings, finding => finding.Kind == FindingKind.CannotBeHelped);
        Assert.Contains("bin 0 takes 4,000 writes/s", finding.Text, StringComparison.Ordinal);
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.Extrapolation);
    }

    [Fact]
    public void A_replica_that_is_no_longer_needed_is_removed()
    {
        var action = Assert.Single(Plan(3, [[1, 2, 3], [1, 2]], [300, 300], Some.Plain).Actions);
        Assert.Equal((ActionKind.Remove, 3, Rule.SurplusReplica), (action.Kind, action.From, action.Reason.Rule));
    }

    [Fact]
    public void A_server_whose_paid_interval_ends_is_emptied_if_its_bins_fit_elsewhere_and_then_released()
    {
        var emptied = Plan(3, [[1], [2], [3]], [300, 300, 300], OneReplica, leaseMinutes: 59.5).Actions;
        Assert.All(emptied, action => Assert.Equal((ActionKind.Move, Rule.Coalesce), (action.Kind, action.Reason.Rule)));
        Assert.NotEmpty(emptied);
        Assert.Empty(Plan(3, [[1], [2], [3]], [300, 300, 300], OneReplica, leaseMinutes: 30).Actions);

        var released = Assert.Single(Plan(2, [[1]], [300], OneReplica, leaseMinutes: 59.5).Actions);
        Assert.Equal((ActionKind.Release, 2), (released.Kind, released.From));
        Assert.Empty(Plan(2, [[1]], [300], OneReplica, leaseMinutes: 30).Actions);
    }

    [Fact]
    public void The_papers_policy_moves_bins_off_underloaded_servers_in_every_plan()
    {
        var actions = Plan(3, [[1], [2], [3]], [300, 250, 600], OneReplica with { Coalesce = CoalesceKind.BinByBin }).Actions;
        Assert.Contains(actions, action => action is { Kind: ActionKind.Move, From: 2, To: 3 });
    }

    [Fact]
    public void A_server_without_room_in_memory_is_no_target()
    {
        // 100 bins of 1 MB fill server 2.
        int[][] replicas = [[1], [1], .. Enumerable.Repeat<int[]>([2], 100)];
        double[] gets = [700, 600, .. Enumerable.Repeat(0.1, 100)];
        Assert.Contains(Plan(2, replicas, gets, OneReplica).Actions, action => action.Kind == ActionKind.Lease);
        Assert.DoesNotContain(Plan(2, replicas, gets, OneReplica).Actions, action => action.Kind == ActionKind.Move);
    }

    [Fact]
    public void A_silent_server_gets_no_bins_and_loses_none_to_coalescing()
    {
        var target = Plan(2, [[1], [1], [2]], [700, 600, 10], OneReplica, silent: [2]);
        Assert.DoesNotContain(target.Actions, action => action.To == 2);
        Assert.Contains(target.Actions, action => action.Kind == ActionKind.Lease);
        Assert.Empty(Plan(2, [[1], [2]], [300, 300], OneReplica, leaseMinutes: 59.5, silent: [2]).Actions);
        Assert.DoesNotContain(Plan(3, [[1], [2]], [300, 300], OneReplica, leaseMinutes: 59.5, silent: [3]).Actions, action => action.From == 3);
    }

    [Fact]
    public void Without_any_report_the_layout_is_held()
    {
        var decision = Plan(2, [[1], [1], [2]], [700, 600, 10], OneReplica, leaseMinutes: 59.5, silent: [1, 2]);
        Assert.Empty(decision.Actions);
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.NoReports);
    }

    [Fact]
    public void A_bin_with_a_replica_too_few_gets_one_and_a_lost_bin_an_owner()
    {
        var actions = Plan(3, [[1], [], [1, 2]], [100, 0, 100], Some.Plain).Actions;
        Assert.Contains(actions, action => action is { Kind: ActionKind.Replicate, From: 1, To: 2 or 3 } && action.Bins[0] == 0);
        Assert.Contains(actions, action => action.Kind == ActionKind.Recover && action.Bins[0] == 1);
    }

    [Fact]
    public void The_budget_bounds_leases_and_says_so()
    {
        var decision = Plan(2, [[1], [1], [2]], [700, 600, 900], OneReplica with { MostServers = 2 });
        Assert.Empty(decision.Actions);
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.Budget);
    }

    [Fact]
    public void A_reserve_is_kept_ready_and_its_surplus_released_at_the_end_of_a_paid_interval()
    {
        var policy = OneReplica with { Standbys = 2 };
        Assert.Equal(2, Plan(1, [[1]], [300], policy).Actions.Count(action => action.Kind == ActionKind.Lease));
        Assert.Empty(Plan(3, [[1]], [300], policy).Actions);
        Assert.Single(Plan(4, [[1]], [300], policy, leaseMinutes: 59.5).Actions, action => action.Kind == ActionKind.Release);
    }

    [Fact]
    public void Nothing_is_planned_for_a_bin_while_an_action_of_it_runs()
    {
        var core = Some.Core(3, OneReplica);
        var cluster = Some.Cluster(2, [[1], [1], [2]], [700, 600, 10], fanOut: 1);
        var first = Assert.Single(core.Plan(TimeSpan.FromSeconds(20), cluster).Actions);
        var next = Some.Cluster(2, [[1], [1], [2]], [700, 600, 10], fanOut: 1, sequence: 2);
        Assert.DoesNotContain(core.Plan(TimeSpan.FromSeconds(40), next).Actions, action => action.Bins.Contains(first.Bins[0]));
    }

    [Fact]
    public void Long_moves_are_split()
    {
        var policy = OneReplica with { CopyRate = 1e5, LongestAction = TimeSpan.FromSeconds(15) };
        int[][] replicas = [[1], [1], [1], [1], [1], [1], [2]];
        var actions = Plan(2, replicas, [250, 250, 250, 250, 250, 250, 10], policy with { Choice = BinChoice.Hottest }).Actions.Where(action => action.Kind == ActionKind.Move).ToList();
        Assert.True(actions.Count > 1);
        Assert.All(actions, action => Assert.InRange(action.Bins.Count, 1, 2));
    }

    [Fact]
    public void Bad_observations_are_typed_errors()
    {
        var core = Some.Core(1, OneReplica);
        var cluster = Some.Cluster(1, [[1]], [1]);
        Assert.Throws<ObservationException>(() => core.Plan(TimeSpan.Zero, cluster with { Servers = [] }));
        Assert.Throws<ObservationException>(() => core.Plan(TimeSpan.Zero, Some.Cluster(1, [[1], [1]], [1, 1])));
        Assert.Throws<ObservationException>(() => core.Plan(TimeSpan.Zero, cluster with { Servers = [new ServerState(1, "unheard of", ServerPhase.Live, default)] }));
    }

    private static Decision Plan(int servers, int[][] replicas, double[] gets, DirectorPolicy policy, double[]? puts = null, int[]? silent = null, double leaseMinutes = 10) =>
        Some.Core(replicas.Length, policy).Plan(TimeSpan.FromSeconds(20), Some.Cluster(servers, replicas, gets, puts, silent, leaseMinutes, policy.ReadFanOut));
}

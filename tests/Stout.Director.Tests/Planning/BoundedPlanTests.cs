using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Loads;
using Stout.Director.Models;

namespace Stout.Director.Tests.Planning;

/// <summary>Plans stay bounded and right for inputs that were once answered by hundreds of servers.</summary>
public sealed class BoundedPlanTests
{
    private static readonly DirectorPolicy OneReplica = Some.Plain with { LeastReplicas = 1, ReadFanOut = 1, FillLimit = 0.95 };
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(20);

    [Theory]
    // The writes of one bin, in shares of a server that is filled to 0.95. The rest of a replica would serve so few reads that 57 or 3,043 replicas were needed.
    [InlineData(945)]
    [InlineData(949.9)]
    public void A_bin_whose_writes_leave_a_replica_hardly_any_reads_cannot_be_helped(double puts)
    {
        var core = Some.Core(1, OneReplica);
        var decision = core.Plan(Period, Some.Cluster(1, [[1]], [300], [puts], fanOut: 1));
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.CannotBeHelped);
        Assert.DoesNotContain(decision.Actions, action => action.Kind == ActionKind.Lease);
    }

    [Fact]
    public void Load_that_no_server_can_carry_leases_servers_for_its_neighbors_alone()
    {
        // Bin 0 takes 4 servers' writes at its one server. The rest there are 0.4 servers.
        var core = Some.Core(5, OneReplica);
        var decision = core.Plan(Period, Some.Cluster(1, [[1], [1], [1], [1], [1]], [0, 100, 100, 100, 100], [4_000, 0, 0, 0, 0], fanOut: 1));
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.CannotBeHelped);
        Assert.Single(decision.Actions, action => action.Kind == ActionKind.Lease);
    }

    [Fact]
    public void Load_that_no_server_can_carry_needs_no_reserve()
    {
        var core = Some.Core(5, OneReplica with { Surge = 0.2 });
        var decision = core.Plan(Period, Some.Cluster(2, [[1], [2], [2], [2], [2]], [0, 100, 100, 100, 100], [40_000, 0, 0, 0, 0], fanOut: 1));
        // The growth to expect is 0.2 a minute for 3 min 40 s, of 1.35 servers.
        Assert.InRange(decision.Actions.Count(action => action.Kind == ActionKind.Lease), 0, 1);
    }

    [Fact]
    public void A_bin_whose_writes_leave_room_for_reads_gets_replicas()
    {
        var decision = Some.Core(1, OneReplica).Plan(Period, Some.Cluster(1, [[1]], [600], [600], fanOut: 1));
        Assert.InRange(decision.Actions.Count(action => action.Kind == ActionKind.Lease), 1, 2);
    }

    [Fact]
    public void Bins_that_the_first_plan_does_not_know_are_no_growth_in_the_second()
    {
        int[][] replicas = [.. Enumerable.Range(0, 40).Select(bin => new[] { 1 + (bin % 8), 1 + ((bin + 1) % 8) })];
        double[] gets = [.. Enumerable.Repeat(70.0, 40)];
        var core = Some.Core(40, DirectorPolicy.Default with { Surge = 0, Standbys = 0 });
        core.Plan(Period, Some.Cluster(8, replicas, gets, silent: [1, 2]));
        var second = core.Plan(Period * 2, Some.Cluster(8, replicas, gets, sequence: 2));
        Assert.Empty(second.Actions);
        Assert.DoesNotContain(second.Findings, finding => finding.Kind == FindingKind.Surge);
        Assert.InRange(second.Load, 40 * 140 * 0.001 * 1.09, 40 * 140 * 0.001 * 1.12);
    }

    [Fact]
    public void A_late_report_beside_a_current_one_of_the_same_server_does_not_count()
    {
        var core = Some.Core(2);
        int[][] replicas = [[1, 2], [1, 2]];
        var cluster = Some.Cluster(2, replicas, [420, 420], sequence: 2);
        var late = Some.Cluster(2, replicas, [420, 420], sequence: 1).Reports[0] with { Age = Period };
        var decision = core.Plan(Period, cluster with { Reports = [late, .. cluster.Reports] });
        Assert.Equal(1.68, decision.Load, 1e-6);
    }

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    [InlineData(double.NegativeInfinity)]
    [InlineData(-1)]
    [InlineData(1e300)]
    public void A_report_with_an_impossible_number_does_not_count(double number)
    {
        var core = Some.Core(2, OneReplica);
        int[][] replicas = [[1], [2]];
        core.Plan(Period, Some.Cluster(2, replicas, [500, 500], fanOut: 1));
        var cluster = Some.Cluster(2, replicas, [500, 500], fanOut: 1, sequence: 2);
        var bad = cluster.Reports[0] with { Visits = [new BinVisits(0, number, 0)] };
        foreach (var (plan, reports) in new[] { (2, new[] { bad, cluster.Reports[1] }), (3, [.. Some.Cluster(2, replicas, [500, 500], fanOut: 1, sequence: 3).Reports]) })
        {
            var decision = core.Plan(Period * plan, cluster with { Reports = reports });
            Assert.Empty(decision.Actions);
            Assert.Equal(1, decision.Load, 1e-9);
        }
    }

    [Fact]
    public void A_repair_that_needs_several_servers_leases_all_of_them()
    {
        // Ten bins of 1 MB lack a replica. A server has memory for two.
        var type = Some.Type with { Memory = 2 * Some.Megabyte };
        var core = new DirectorCore(new DirectorSettings(Some.Plain, [type], 10));
        core.Begin(TimeSpan.Zero, 1, []);
        int[][] replicas = [.. Enumerable.Range(0, 10).Select(bin => new[] { 1 + (bin / 2) })];
        var decision = core.Plan(Period, Some.Cluster(5, replicas, [.. Enumerable.Repeat(1.0, 10)]));
        Assert.Equal(5, decision.Actions.Count(action => action.Kind == ActionKind.Lease));
    }

    [Fact]
    public void Fewer_servers_than_the_least_number_are_made_up_for()
    {
        var decision = Some.Core(1, OneReplica with { LeastServers = 5 }).Plan(Period, Some.Cluster(3, [[1]], [300], fanOut: 1));
        Assert.Equal(2, decision.Actions.Count(action => action.Kind == ActionKind.Lease));
    }

    [Theory]
    // Four small servers of price 1 or two large ones of the given price would do.
    [InlineData(1.9, 0, 2)]
    [InlineData(2.1, 4, 0)]
    public void A_shortage_is_filled_by_the_cheapest_servers(double price, int small, int large)
    {
        var leased = Leased(Some.Type, price, 4);
        Assert.Equal((small, large), (leased.Count(name => name == "small"), leased.Count(name => name == "large")));
    }

    [Fact]
    public void The_rest_of_a_shortage_is_filled_by_the_type_that_fits_it() => Assert.Equal(["large", "large", "small"], Leased(Some.Type, 1.9, 5));

    [Fact]
    public void A_shortage_on_large_servers_is_counted_in_their_size()
    {
        // Two bins of 1.8 of a large server each are on one: nearly three large servers' load, 5.2 small ones', finds no place.
        var large = Large(Some.Type, 1.9);
        var core = new DirectorCore(new DirectorSettings(OneReplica, [Some.Type, large], 8));
        core.Begin(TimeSpan.Zero, 1, []);
        var cluster = Some.Cluster(1, [.. Enumerable.Repeat<int[]>([1], 8)], [.. Enumerable.Repeat(900.0, 8)], fanOut: 1);
        cluster = cluster with { Servers = [new ServerState(1, "large", ServerPhase.Live, TimeSpan.FromMinutes(10))] };
        var leases = core.Plan(Period, cluster).Actions.Where(action => action.Kind == ActionKind.Lease).Select(action => action.Type).ToList();
        var capacity = leases.Sum(type => type == "large" ? 2 : 1);
        Assert.InRange(capacity, 6, 7);
    }

    private static ServerType Large(ServerType small, double price) => small with
    {
        Name = "large",
        Price = price,
        SteadyState = small.SteadyState with { CostOfGet = small.SteadyState.CostOfGet / 2, CostOfPut = small.SteadyState.CostOfPut / 2 },
    };

    private static List<string> Leased(ServerType small, double price, int standbys)
    {
        var core = new DirectorCore(new DirectorSettings(OneReplica with { Standbys = standbys }, [small, Large(small, price)], 1));
        core.Begin(TimeSpan.Zero, 1, []);
        return [.. core.Plan(Period, Some.Cluster(1, [[1]], [300], fanOut: 1)).Actions.Where(action => action.Kind == ActionKind.Lease).Select(action => action.Type).Order()];
    }
}

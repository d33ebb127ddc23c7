using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Loads;

namespace Stout.Director.Tests.Planning;

/// <summary>The facts that a plan has to tell the operator.</summary>
public sealed class FindingTests
{
    private static readonly DirectorPolicy OneReplica = Some.Plain with { LeastReplicas = 1, ReadFanOut = 1 };
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(20);

    [Fact]
    public void A_pool_that_refuses_leases_is_told_in_every_plan_until_it_grants_one()
    {
        var core = Some.Core(3, OneReplica);
        for (var plan = 1; plan <= 180; plan++)
        {
            var decision = Plan(plan);
            var finding = decision.Findings.SingleOrDefault(finding => finding.Kind == FindingKind.Refused);
            Assert.Equal(plan == 1 ? null : $"The cluster has refused LeaseServer {plan - 1} times since it last accepted one.", finding.Text);
            Answer(CommandOutcome.Refused);
        }

        Plan(181);
        Answer(CommandOutcome.Accepted);
        Assert.DoesNotContain(Plan(182).Findings, finding => finding.Kind == FindingKind.Refused);

        Decision Plan(int plan) => core.Plan(Period * plan, Some.Cluster(2, [[1], [1], [2]], [700, 600, 900], fanOut: 1, sequence: plan));

        void Answer(CommandOutcome outcome)
        {
            var lease = Assert.Single(core.Pending, action => action.Kind == ActionKind.Lease);
            core.Answered(new LeaseServer(lease.Id, lease.Type), outcome);
        }
    }

    [Fact]
    public void Memory_that_bins_have_outgrown_is_told_and_relieved()
    {
        // Server 1 has memory for 100 MB, and 4 bins of 40 MB.
        var cluster = Some.Cluster(1, [[1], [1], [1], [1]], [10, 10, 10, 10], fanOut: 1) with { BinBytes = [.. Enumerable.Repeat(40 * Some.Megabyte, 4)] };
        var decision = Some.Core(4, OneReplica).Plan(Period, cluster);
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.Memory && finding.Text.Contains("holds 160 MB, more than the 100 MB", StringComparison.Ordinal));
        var lease = Assert.Single(decision.Actions);
        Assert.Equal((ActionKind.Lease, Rule.Shortage), (lease.Kind, lease.Reason.Rule));
        Assert.Contains("60 MB of server 1", lease.Reason.Predicate, StringComparison.Ordinal);

        var two = Some.Cluster(2, [[1], [1], [1], [1]], [10, 10, 10, 10], fanOut: 1) with { BinBytes = cluster.BinBytes };
        Assert.Equal(2, Some.Core(4, OneReplica).Plan(Period, two).Actions.Where(action => action.Kind == ActionKind.Move).Sum(action => action.Bins.Count));
    }

    [Fact]
    public void A_bin_that_outgrew_every_server_cannot_be_helped()
    {
        var cluster = Some.Cluster(1, [[1]], [10], fanOut: 1) with { BinBytes = [140 * Some.Megabyte] };
        var decision = Some.Core(1, OneReplica).Plan(Period, cluster);
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.CannotBeHelped && finding.Text.Contains("bin 0 has 140 MB", StringComparison.Ordinal));
        Assert.Empty(decision.Actions);
    }

    [Fact]
    public void A_bad_report_is_told()
    {
        var cluster = Some.Cluster(2, [[1], [2]], [10, 10], fanOut: 1);
        var decision = Some.Core(2, OneReplica).Plan(Period, cluster with { Reports = [cluster.Reports[0] with { Visits = [new BinVisits(0, double.NaN, 0)] }, cluster.Reports[1]] });
        Assert.Contains(decision.Findings, finding => finding.Kind == FindingKind.BadReport && finding.Text.Contains("server 1", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(5, 0, "fewer servers are leased than the least number of 5")]
    [InlineData(1, 2, "0 empty or booting servers are fewer than the 2 kept ready")]
    public void The_reason_of_a_lease_names_its_cause(int least, int standbys, string cause)
    {
        var lease = Some.Core(1, OneReplica with { LeastServers = least, Standbys = standbys }).Plan(Period, Some.Cluster(1, [[1]], [300], fanOut: 1)).Actions[0];
        Assert.Equal((Rule.Reserve, cause), (lease.Reason.Rule, lease.Reason.Predicate));
    }

    [Fact]
    public void Impossible_ages_sizes_and_numbers_of_servers_are_errors()
    {
        var cluster = Some.Cluster(2, [[1], [2]], [10, 10], fanOut: 1);
        Refuses(cluster with { BinBytes = [1, -1] });
        Refuses(cluster with { Servers = [cluster.Servers[0], cluster.Servers[0]] });
        Refuses(cluster with { Servers = [cluster.Servers[0] with { LeaseAge = TimeSpan.FromSeconds(-1) }, cluster.Servers[1]] });
        Refuses(cluster with { Reports = [cluster.Reports[0] with { Age = TimeSpan.FromSeconds(-1) }] });

        static void Refuses(ClusterObservation observation) => Assert.Throws<ObservationException>(() => Some.Core(2, OneReplica).Plan(Period, observation));
    }
}

using Stout.Director.Simulation.Baselines;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Training;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Tests.Simulated;

/// <summary>The rules of the baselines, on a cluster whose utilization and share of slow reads the tests set.</summary>
public sealed class BaselineTests
{
    private const int Bins = 12;

    private SimulatedCluster _cluster = null!;
    private BaselineController _controller = null!;
    private int _now;

    [Fact]
    public void A_static_allocation_changes_nothing()
    {
        Begin(BaselineKind.Static, 3, bin => bin % 2);
        Run(600, utilization: 2, slow: 0.5);
        Assert.Equal((3, 0, 0), (_cluster.Servers.Count, _cluster.BinsCopied, _controller.Changes));
    }

    [Fact]
    public void Rebalancing_by_count_gives_every_server_as_many_bins_as_any_other()
    {
        Begin(BaselineKind.Count, 3, bin => bin < 11 ? 0 : 1);
        Run(300, utilization: 0.5);
        Assert.Equal([4, 4, 4], Counts());
    }

    [Theory]
    // The ratios of these utilizations to the target, 0.7, are within the tolerance of 10 %, so the 4 servers stay.
    [InlineData(0.70, 4)]
    [InlineData(0.76, 4)]
    [InlineData(0.64, 4)]
    // Kubernetes' rule for other ratios: the ratio times the number of servers, rounded up.
    [InlineData(0.80, 5)]
    [InlineData(1.04, 6)]
    public void The_autoscaler_asks_for_the_ratio_times_the_servers(double utilization, int servers)
    {
        Begin(BaselineKind.Hpa, 4, bin => bin % 4);
        Run(15, utilization);
        Assert.Equal(servers, _cluster.Servers.Count);
    }

    [Theory]
    [InlineData(0.95)]
    [InlineData(0.5)]
    public void The_autoscaler_reaches_its_target_at_any_mix(double getShare)
    {
        // The load of 7 servers at the model's boundary needs 10 at 70 %.
        var type = TrainedModels.SmallInstance.Type;
        var rate = 7 / type.SteadyState.Utilization(getShare, 1 - getShare);
        var run = SimulationRun.Run(
            new SimulationSettings
            {
                Cluster = new ClusterSetup { Physics = new Dictionary<string, ServerPhysics> { [type.Name] = ServerPhysics.SmallInstance }, BinBytes = [.. Enumerable.Repeat(Some.Megabyte, 100)], BootTime = TimeSpan.FromSeconds(10), ReadFanOut = 1 },
                Workload = new SteadyWorkload(rate, [.. Enumerable.Repeat(0.01, 100)]) { Length = TimeSpan.FromMinutes(10), GetShare = getShare },
                ChargeInterval = TimeSpan.FromHours(1),
                Mode = SimulationMode.Flow,
                Models = new Dictionary<string, Stout.Director.Models.ModelFile> { [type.Name] = TrainedModels.SmallInstance },
                Controller = cluster => new BaselineController(new BaselineSettings(BaselineKind.Hpa, type), cluster),
                FirstType = type.Name,
                FirstServers = 4,
                FirstReplicas = 1,
                Warmup = TimeSpan.Zero,
            },
            cancellationToken: TestContext.Current.CancellationToken);
        Assert.InRange(run.Intervals[^1].Servers, 9, 11);
    }

    [Fact]
    public void The_autoscaler_removes_servers_only_after_300_seconds_of_lower_wishes()
    {
        Begin(BaselineKind.Hpa, 4, bin => bin % 4);
        Run(15, utilization: 0.7);
        Run(300, utilization: 0.3);
        Assert.Equal(0, _controller.Changes);
        Run(60, utilization: 0.3);
        // 0.3 / 0.7 × 4 servers, rounded up.
        Assert.Equal((1, 2), (_controller.Changes, _cluster.Servers.Count));
        Assert.Equal([6, 6], Counts());
    }

    [Fact]
    public void With_new_activations_only_a_new_server_stays_almost_empty_and_a_leaving_one_is_emptied()
    {
        Begin(BaselineKind.NewActivations, 2, bin => bin % 2);
        Run(15, utilization: 0.9);
        Assert.Equal(3, _cluster.Servers.Count);
        // Each bin is activated anew once an hour on average, so about one of 12 bins in 5 min.
        Run(315, utilization: 0.7);
        Assert.InRange(_cluster.BinsCopied, 0, 4);
        Run(420, utilization: 0.3);
        Assert.Equal(2, _cluster.Servers.Count);
        Assert.Equal(Bins, Counts().Sum());
    }

    [Theory]
    // The budget of slow reads is 1 %. Below 0.3 % a server is removed.
    [InlineData(0.011, 5)]
    [InlineData(0.009, 4)]
    [InlineData(0.0031, 4)]
    [InlineData(0.0029, 3)]
    public void The_closed_loop_adds_or_removes_one_server_at_a_time(double slow, int servers)
    {
        Begin(BaselineKind.ClosedLoop, 4, bin => bin % 4);
        Run(20, utilization: 0.5, slow);
        // A server that is being removed still counts, since it leaves only after its bins have been moved.
        Assert.Equal(servers, _cluster.Servers.Count - (slow < 0.003 ? 1 : 0));
        Assert.Equal(slow is > 0.01 or < 0.003 ? 1 : 0, _controller.Changes);
    }

    private void Begin(BaselineKind kind, int servers, Func<int, int> place)
    {
        _cluster = new SimulatedCluster(new ClusterSetup
        {
            Physics = new Dictionary<string, ServerPhysics> { [Some.Type.Name] = ServerPhysics.SmallInstance with { CopyDeviation = 0 } },
            BinBytes = [.. Enumerable.Repeat(Some.Megabyte, Bins)],
            BootTime = TimeSpan.FromSeconds(10),
            ReadFanOut = 1,
        });
        _cluster.Begin([.. Enumerable.Repeat(Some.Type.Name, servers)], [.. Enumerable.Range(0, Bins).Select(bin => new[] { place(bin) })], 0);
        _controller = new BaselineController(new BaselineSettings(kind, Some.Type), _cluster);
    }

    private void Run(int seconds, double utilization, double slow = 0.005)
    {
        for (var end = _now + seconds; _now < end;)
        {
            _cluster.Tick(++_now);
            _cluster.SlowShare = slow;
            // Converts the utilization from shares of the model's boundary, which the autoscaler reads, to shares of the simulated server's time.
            foreach (var server in _cluster.Servers)
                server.Utilization = utilization * server.Physics.GetTime / Some.Type.SteadyState.CostOfGet;
            var now = TimeSpan.FromSeconds(_now);
            if (_now % _controller.Period.TotalSeconds == 0)
                _controller.Plan(now);
            _controller.Advance(now);
        }
    }

    private List<int> Counts() => [.. _cluster.Servers.Select(server => Enumerable.Range(0, Bins).Count(bin => _cluster.Layout.Holds(bin, server.Id)))];
}

using Stout.Director.Actions;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Physics;

namespace Stout.Director.Tests.Actions;

public sealed class SlowCopyTests
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(20);

    [Theory]
    // 600 MB at 4 MB/s take 150 s, more than the 2 min after which a copy is canceled; and here copies are slower than asked for, too.
    [InlineData(1)]
    [InlineData(4)]
    public async Task Bins_that_take_longer_than_the_cancel_time_are_repaired_after_a_server_died(double slower)
    {
        var type = Some.Type with { Memory = 100_000 * Some.Megabyte };
        var cluster = new SimulatedCluster(new ClusterSetup
        {
            Physics = new Dictionary<string, ServerPhysics> { [type.Name] = new() { CopyDeviation = 0, CopySlowdown = 0 } },
            BinBytes = [.. Enumerable.Repeat((long)(600 * Some.Megabyte * slower), 4)],
            BootTime = TimeSpan.FromSeconds(10),
            ReadFanOut = 2,
        });
        cluster.Begin([.. Enumerable.Repeat(type.Name, 3)], [[0, 1], [1, 2], [0, 2], [0, 1]], 0);
        // The Director knows a quarter of the sizes, so that it expects copies to be as much faster.
        var core = new DirectorCore(new DirectorSettings(Some.Plain, [type], 4));
        core.Begin(TimeSpan.Zero, 1, []);
        cluster.Kill(3);
        var canceled = 0;
        for (var second = 1; second <= 7_200; second++)
        {
            for (var bin = 0; bin < 4; bin++)
                cluster.Count(bin, 50, 1);
            cluster.Tick(second);
            var now = TimeSpan.FromSeconds(second);
            var isPlan = second % 20 == 0;
            var observation = await cluster.ObserveAsync(isPlan, TestContext.Current.CancellationToken);
            observation = observation with { BinBytes = [.. observation.BinBytes.Select(bytes => (long)(bytes / slower))] };
            if (isPlan)
                canceled += core.Plan(now, observation).Canceled.Count;
            foreach (var command in core.Advance(now, observation))
                core.Answered(command, await cluster.SendAsync(command, 1, TestContext.Current.CancellationToken));
        }

        Assert.InRange(canceled, 0, 12);
        Assert.All(Enumerable.Range(0, 4), bin => Assert.Equal(2, cluster.Layout.Replicas(bin).Length));
    }
}

using Stout.Director.Actions;
using Stout.Director.Layouts;

namespace Stout.Director.Tests.Planning;

/// <summary>Plans of random clusters, checked by a naive computation of loads and memory.</summary>
public sealed class PlannerPropertyTests
{
    [Fact]
    public void Plans_of_random_clusters_keep_replicas_memory_and_the_limit()
    {
        for (var seed = 0; seed < 2_000; seed++)
            Check(seed);
    }

    private static void Check(int seed)
    {
        var random = new Random(seed);
        var bins = random.Next(1, 60);
        var servers = random.Next(2, 15);
        var used = random.Next(2, servers + 1);
        var replicas = Enumerable.Range(0, bins).Select(_ => Enumerable.Range(1, used).OrderBy(_ => random.Next()).Take(2).ToArray()).ToArray();
        var gets = Enumerable.Range(0, bins).Select(_ => Math.Pow(10, 3 * random.NextDouble())).ToArray();
        var puts = Enumerable.Range(0, bins).Select(bin => gets[bin] * 0.05).ToArray();
        var policy = (seed % 3) switch { 0 => DirectorPolicy.Paper(0), 1 => DirectorPolicy.Default with { Overprovisioning = 0 }, _ => Some.Plain };
        var cluster = Some.Cluster(servers, replicas, gets, puts, leaseMinutes: 60 * random.NextDouble());
        var core = Some.Core(bins, policy);
        var decision = core.Plan(TimeSpan.FromSeconds(20), cluster);

        var after = replicas.Select(one => one.ToList()).ToArray();
        var planned = new HashSet<int>();
        foreach (var action in decision.Actions)
        {
            Assert.Equal(1, decision.Actions.Count(other => other.Id == action.Id));
            foreach (var bin in action.Bins)
            {
                // A bin has one action, except for replications to several servers.
                Assert.True(planned.Add(bin) || action.Kind == ActionKind.Replicate, $"seed {seed}: bin {bin} twice");
                if (action.To >= 0)
                {
                    Assert.DoesNotContain(action.To, after[bin]);
                    after[bin].Add(action.To);
                }

                if (action.Kind is ActionKind.Move or ActionKind.Remove)
                    Assert.True(after[bin].Remove(action.From), $"seed {seed}: server {action.From} does not hold bin {bin}");
            }
        }

        Assert.All(after, one => Assert.True(one.Count >= 2 && one.Distinct().Count() == one.Count, $"seed {seed}: replicas"));
        var released = decision.Actions.Where(action => action.Kind == ActionKind.Release).Select(action => action.From).ToHashSet();
        for (var server = 1; server <= servers; server++)
        {
            var held = Enumerable.Range(0, bins).Where(bin => after[bin].Contains(server)).ToList();
            Assert.True(held.Count * Some.Megabyte <= Some.Type.Memory, $"seed {seed}: memory");
            Assert.False(released.Contains(server) && held.Count > 0, $"seed {seed}: released with bins");
            // A server that got bins is not overloaded, unless it has a single bin that is more than a server can serve.
            var got = decision.Actions.Any(action => action.To == server);
            var load = held.Sum(bin => (gets[bin] * 2 / after[bin].Count + puts[bin]) * 0.001);
            Assert.True(!got || held.Count == 1 || load <= 1 + 1e-9, $"seed {seed}: server {server} would be loaded {load}");
        }
    }
}

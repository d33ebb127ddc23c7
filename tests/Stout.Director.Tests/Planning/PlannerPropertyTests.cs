using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Tests.Planning;

/// <summary>
/// Plans of random clusters, checked by a naive computation of loads and memory. Reports may lack some bins, and actions of an earlier Director may be
/// unfinished.
/// </summary>
public sealed class PlannerPropertyTests
{
    [Fact]
    public void Plans_of_random_clusters_keep_replicas_memory_and_the_limit()
    {
        for (var seed = 0; seed < 3_000; seed++)
            Check(seed);
    }

    private static void Check(int seed)
    {
        var random = new Random(seed);
        var bins = random.Next(1, 60);
        var servers = random.Next(2, 15);
        var used = random.Next(2, servers + 1);
        var replicas = Enumerable.Range(0, bins)
            .Select(_ => Enumerable.Range(1, used).OrderBy(_ => random.Next()).Take(random.Next(5) == 0 ? 3 : 2).ToArray()).ToArray();
        var gets = Enumerable.Range(0, bins).Select(_ => Math.Pow(10, 3 * random.NextDouble())).ToArray();
        var puts = Enumerable.Range(0, bins).Select(bin => gets[bin] * 0.05).ToArray();
        var policy = (seed % 3) switch { 0 => DirectorPolicy.Paper(0), 1 => DirectorPolicy.Default with { Overprovisioning = 0 }, _ => Some.Plain };
        var cluster = Some.Cluster(servers, replicas, gets, puts, leaseMinutes: 60 * random.NextDouble());
        if (seed % 4 >= 2)
            cluster = cluster with { Reports = [.. cluster.Reports.Select(report => report with { Visits = [.. report.Visits.Where(_ => random.Next(6) > 0)] })] };
        var pending = seed % 2 == 0 ? [] : Unfinished(random, servers, replicas);
        var core = new DirectorCore(Some.Settings(bins, policy));
        core.Begin(TimeSpan.Zero, 1, pending);
        var decision = core.Plan(TimeSpan.FromSeconds(20), cluster);

        var after = replicas.Select(one => one.ToList()).ToArray();
        foreach (var action in pending)
            Apply(action, after, seed);
        var planned = pending.SelectMany(action => action.Bins).ToHashSet();
        foreach (var action in decision.Actions)
        {
            Assert.Equal(1, decision.Actions.Count(other => other.Id == action.Id));
            // A bin has one action, except for replications to several servers.
            foreach (var bin in action.Bins)
                Assert.True(planned.Add(bin) || (action.Kind == ActionKind.Replicate && pending.All(one => !one.Bins.Contains(bin))), $"seed {seed}: bin {bin} twice");
            Apply(action, after, seed);
        }

        Assert.All(after, one => Assert.True(one.Count >= 2 && one.Distinct().Count() == one.Count, $"seed {seed}: replicas"));
        CheckUnmeasured(seed, cluster, pending, decision);
        CheckReleases(seed, pending, decision);
        for (var server = 1; server <= servers; server++)
        {
            var held = Enumerable.Range(0, bins).Where(bin => after[bin].Contains(server)).ToList();
            Assert.True(held.Count * Some.Megabyte <= Some.Type.Memory, $"seed {seed}: memory");
            Assert.False(decision.Actions.Any(action => action.Kind == ActionKind.Release && action.From == server) && held.Count > 0, $"seed {seed}: released with bins");
            // A server that got bins is not overloaded, unless it has a single bin that is more than a server can serve.
            var got = decision.Actions.Any(action => action.To == server);
            var load = held.Sum(bin => (gets[bin] * 2 / after[bin].Count + puts[bin]) * 0.001);
            Assert.True(!got || held.Count == 1 || load <= 1 + 1e-9, $"seed {seed}: server {server} would be loaded {load}");
        }
    }

    // The load of a bin that no report covers is unknown: its servers get no bins, and keep theirs unless they are overloaded.
    private static void CheckUnmeasured(int seed, ClusterObservation cluster, IReadOnlyList<DirectorAction> pending, Decision decision)
    {
        var measured = cluster.Reports.SelectMany(report => report.Visits).Select(visits => visits.Bin).ToHashSet();
        var unknown = Enumerable.Range(0, cluster.Layout.Bins).Where(bin => !measured.Contains(bin)).SelectMany(bin => cluster.Layout.Replicas(bin).ToArray()).ToHashSet();
        unknown.UnionWith(pending.Where(action => !action.Bins.All(measured.Contains)).Select(action => action.To));
        unknown.Remove(-1);
        foreach (var action in decision.Actions)
        {
            Assert.False(unknown.Contains(action.To), $"seed {seed}: a server of unknown load is a target: {action}");
            Assert.False(action.Reason.Rule is Rule.Coalesce or Rule.Surplus or Rule.SurplusReplica && unknown.Contains(action.From), $"seed {seed}: a server of unknown load is scaled in: {action}");
        }
    }

    private static void CheckReleases(int seed, IReadOnlyList<DirectorAction> pending, Decision decision)
    {
        var all = pending.Concat(decision.Actions).ToList();
        var released = all.Where(action => action.Kind == ActionKind.Release).Select(action => action.From).ToList();
        Assert.True(released.Distinct().Count() == released.Count, $"seed {seed}: a server is released twice");
        Assert.All(all, action => Assert.False(released.Contains(action.To), $"seed {seed}: a server that is released is a target: {action}"));
    }

    // At most one action of a bin, as one Director plans them; servers that are released hold and get no bins.
    private static List<DirectorAction> Unfinished(Random random, int servers, int[][] replicas)
    {
        var empty = Enumerable.Range(1, servers).Where(server => !replicas.Any(one => one.Contains(server))).ToList();
        var released = empty.Where(_ => random.Next(4) == 0).ToList();
        var actions = released.Select(server => (ActionKind.Release, Array.Empty<int>(), server, -1)).ToList();
        for (var bin = 0; bin < replicas.Length; bin++)
        {
            var from = replicas[bin][random.Next(replicas[bin].Length)];
            var others = Enumerable.Range(1, servers).Except(replicas[bin]).Except(released).ToList();
            if (random.Next(3) > 0)
                continue;
            if (replicas[bin].Length > 2)
                actions.Add((ActionKind.Remove, [bin], from, -1));
            else if (others.Count > 0)
                actions.Add((random.Next(2) == 0 ? ActionKind.Move : ActionKind.Replicate, [bin], from, others[random.Next(others.Count)]));
        }

        return [.. actions.Select((action, id) => new DirectorAction(id, action.Item1, action.Item2, action.Item3, action.Item4, "", new Reason(Rule.Overload, "", [], [])))];
    }

    private static void Apply(DirectorAction action, List<int>[] after, int seed)
    {
        foreach (var bin in action.Bins)
        {
            if (action.To >= 0)
            {
                Assert.DoesNotContain(action.To, after[bin]);
                after[bin].Add(action.To);
            }

            if (action.Kind is ActionKind.Move or ActionKind.Remove)
                Assert.True(after[bin].Remove(action.From), $"seed {seed}: server {action.From} does not hold bin {bin}");
        }
    }
}

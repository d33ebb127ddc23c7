using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Tests.Actions;

/// <summary>
/// Commands for random unfinished actions, as a Director may adopt them: several of one bin, several removals of it too, and copies that an earlier
/// Director began. A naive model applies all commands of one run together.
/// </summary>
public sealed class ActionSchedulerPropertyTests
{
    private static readonly Reason Why = new(Rule.Overload, "test", [], []);

    [Fact]
    public void Commands_of_one_run_keep_replicas_and_a_quiet_one_of_each_bin()
    {
        var (drops, several) = (0, 0);
        for (var seed = 0; seed < 5_000; seed++)
            Check(seed, ref drops, ref several);

        Assert.True(drops > 500 && several > 20, $"{drops} removals, {several} runs with several of one bin");
    }

    private static void Check(int seed, ref int drops, ref int several)
    {
        var random = new Random(seed);
        var servers = random.Next(2, 7);
        var bins = random.Next(1, 6);
        var replicas = Enumerable.Range(0, bins)
            .Select(_ => Enumerable.Range(1, servers).OrderBy(_ => random.Next()).Take(random.Next(1, 5)).ToArray()).ToArray();
        var pending = Enumerable.Range(1, random.Next(1, 8)).Select(id => Action(random, id, servers, replicas)).ToList();
        // No Director plans the release of a server that is to get bins.
        pending.RemoveAll(action => action.Kind == ActionKind.Release && pending.Exists(other => other.To == action.From));
        var cluster = Some.Cluster(servers, replicas, new double[bins]) with
        {
            Copies = [.. pending.Where(action => action.To > 0 && random.Next(3) == 0).DistinctBy(static action => action.To)
                .Select(static action => new RunningCopy(action.Id, action.From, action.To, action.Bins))],
        };
        var dead = random.Next(4) == 0 ? random.Next(1, servers + 1) : -1;
        cluster = cluster with
        {
            Servers = [.. cluster.Servers.Where(server => server.Id != dead || servers == 2)],
            Copies = [.. cluster.Copies.Where(copy => copy.From != dead && copy.To != dead)],
        };
        var live = cluster.Servers.Select(static server => server.Id).ToHashSet();

        var commands = new ActionScheduler(Some.Plain).Run(TimeSpan.FromSeconds(1), cluster, [.. pending.Select(static action => new PendingAction(action, TimeSpan.Zero))], []);

        var copies = commands.OfType<CopyBins>().ToList();
        Assert.All(copies, copy => Assert.True(live.Contains(copy.From) && live.Contains(copy.To), $"seed {seed}: {copy}"));
        var targets = copies.Select(static copy => copy.To).Concat(cluster.Copies.Select(static copy => copy.To)).ToList();
        Assert.True(targets.Distinct().Count() == targets.Count, $"seed {seed}: two copies to one server");
        var gone = commands.OfType<DropReplicas>().SelectMany(static drop => drop.Bins.Select(bin => (Bin: bin, drop.Server))).ToHashSet();
        drops += gone.Count;
        several += gone.GroupBy(static one => one.Bin).Any(static bin => bin.Count() > 1) ? 1 : 0;
        foreach (var bin in gone.Select(static one => one.Bin).Distinct())
        {
            var left = replicas[bin].Where(server => live.Contains(server) && !gone.Contains((bin, server))).ToList();
            Assert.True(left.Count >= Some.Plain.LeastReplicas, $"seed {seed}: bin {bin} keeps {left.Count} replicas");
            Assert.True(left.Exists(server => !targets.Contains(server)), $"seed {seed}: copies write to all replicas of bin {bin}");
        }

        foreach (var release in commands.OfType<ReleaseServer>())
        {
            Assert.DoesNotContain(release.Server, replicas.SelectMany(static one => one));
            Assert.True(!targets.Contains(release.Server), $"seed {seed}: server {release.Server} is released and gets bins");
        }
    }

    private static DirectorAction Action(Random random, long id, int servers, int[][] replicas)
    {
        var bin = random.Next(replicas.Length);
        var holder = replicas[bin][random.Next(replicas[bin].Length)];
        var others = Enumerable.Range(1, servers).Except(replicas[bin]).ToList();
        return (random.Next(4), others.Count) switch
        {
            (0, > 0) => new(id, ActionKind.Move, [bin], holder, others[random.Next(others.Count)], "", Why),
            (1, > 0) => new(id, ActionKind.Replicate, [bin], holder, others[random.Next(others.Count)], "", Why),
            (2, _) => new(id, ActionKind.Release, [], random.Next(1, servers + 1), -1, "", Why),
            // A move whose copy is whole drops the bin at its source, just as a removal does.
            (3, _) when replicas[bin].Length > 2 => new(id, ActionKind.Move, [bin], holder, replicas[bin].First(server => server != holder), "", Why),
            _ => new(id, ActionKind.Remove, [bin], holder, -1, "", Why),
        };
    }
}

using Stout.Director.Layouts;
using Stout.Director.Loads;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Experiments;

/// <summary>Measures the processor time and the memory of the Director's decisions for a large cluster.</summary>
internal static class LargeCluster
{
    /// <summary>
    /// The mean processor time of a decision, and the Director's live memory. <c>Milliseconds</c> is for servers at 0.8 of their planned load. In
    /// <c>OverloadedMilliseconds</c>, every second server is overloaded.
    /// </summary>
    internal sealed record Figures(double Milliseconds, double OverloadedMilliseconds, double LiveMebibytes);

    public static Figures Measure(int bins, int servers, int plans)
    {
        var type = TrainedModels.SmallInstance.Type with { Memory = 800_000_000 };
        var shares = Shares.Zipf(bins, bins * 2_000, exponent: 0.6);
        var random = new Random(1);
        var replicas = Enumerable.Range(0, bins).Select(bin => new[] { 1 + bin % servers, 1 + (bin + 1 + random.Next(servers - 2)) % servers }).ToArray();
        var (median, live) = Time(1);
        // The overloaded case: every second server gets 1.5 times as much load.
        var (overloaded, _) = Time(2);
        return new Figures(median, overloaded, live);

        (double Milliseconds, double Mebibytes) Time(int step)
        {
            var before = GC.GetTotalMemory(forceFullCollection: true);
            var core = new DirectorCore(new DirectorSettings(DirectorPolicy.Default, [type], bins));
            core.Begin(TimeSpan.Zero, 1, []);
            var layout = new Layout(replicas, 1, 1);
            var observations = Enumerable.Range(1, plans).Select(plan => Observe(layout, plan, step)).ToList();
            var used = TimeSpan.Zero;
            for (var plan = 1; plan <= plans; plan++)
            {
                // Uses a new Director for each overloaded plan, since the decisions of the last plan would still be pending.
                if (step == 2)
                {
                    core = new DirectorCore(core.Settings);
                    core.Begin(TimeSpan.Zero, 1, []);
                }

                // Begins to measure after the first fifth of the plans. Measures processor time, so that other programs on the machine do not count.
                if (plan == plans / 5 + 1)
                    used = Environment.CpuUsage.TotalTime;
                core.Plan(TimeSpan.FromSeconds(20 * plan), observations[plan - 1]);
            }

            used = Environment.CpuUsage.TotalTime - used;
            observations.Clear();

            var after = GC.GetTotalMemory(forceFullCollection: true);
            GC.KeepAlive(core);
            return (used.TotalMilliseconds / (plans - plans / 5), (after - before) / 1048576.0);
        }

        ClusterObservation Observe(Layout layout, long plan, int step)
        {
            var visits = Enumerable.Range(0, servers + 1).Select(_ => new List<BinVisits>()).ToArray();
            var load = new double[servers + 1];
            for (var bin = 0; bin < bins; bin++)
            {
                foreach (var server in layout.Replicas(bin))
                    load[server] += shares[bin];
            }

            for (var bin = 0; bin < bins; bin++)
            {
                foreach (var server in layout.Replicas(bin))
                {
                    // Loads every server to 0.8 of its planned load: its capacity of 7,000 visits/s over 1.1, for the overprovisioning of 0.1. In the
                    // overloaded case, every second server gets 1.2 of it.
                    var target = (step == 2 && server % 2 == 0 ? 1.2 : 0.8) / 1.1;
                    var rate = 7_000 * target * shares[bin] / load[server];
                    visits[server].Add(new BinVisits(bin, rate * 0.95, rate * 0.05));
                }
            }

            return new ClusterObservation(
                layout,
                [.. Enumerable.Range(1, servers).Select(server => new ServerState(server, type.Name, ServerPhase.Live, TimeSpan.FromMinutes(10)))],
                [],
                [.. Enumerable.Range(1, servers).Select(server => new ServerReport(server, plan, TimeSpan.Zero, visits[server]))],
                [.. Enumerable.Repeat(6_000_000L, bins)]);
        }
    }
}

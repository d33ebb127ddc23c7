using Stout.Director.Simulation.Physics;
using Stout.Experiments.Measuring;

namespace Stout.Director.Experiments;

/// <summary>Figures 3 and 4 of the Director's paper: the 99th percentile over 20 s with one, two and three replicas at equal goodput.</summary>
internal sealed class ReplicasExperiment() : DirectorExperiment("director-fig4", "the 99th percentile over 20 s by number of replicas, at equal goodput")
{
    // Visits/s that fully load five servers if each bin has one replica.
    private const double Goodput = 5 * 7_000;

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("run"), new Column("share"), new Column("tail", "ms"));
        var headlines = new List<Headline>();
        // The paper does not state the load of figure 3. So figure 3 is run at the working point of figure 1, and at the load of figure 4.
        foreach (var (name, servers, replicas, goodput) in new[]
        {
            ("figure 3, 1 replica", 10, 1, Goodput / 1.1), ("figure 3, 2 replicas", 10, 2, Goodput / 1.1), ("figure 3 at full load, 1 replica", 10, 1, Goodput), ("figure 3 at full load, 2 replicas", 10, 2, Goodput),
            ("figure 4, 1 replica", 5, 1, Goodput), ("figure 4, 2 replicas", 10, 2, Goodput), ("figure 4, 3 replicas", 15, 3, Goodput),
        })
        {
            var (medians, spreads) = (new List<double>(), new List<double>());
            foreach (var seed in SeedsOf(context))
            {
                var run = SteadyRun.Run(ServerPhysics.SmallInstance, servers, replicas, goodput * replicas / servers, 0.95, context.Pick(180, 15), seed);
                var tails = run.Select(interval => interval.Percentile(0.99) * 1000).Order().ToList();
                medians.Add(tails[tails.Count / 2]);
                spreads.Add(tails[tails.Count * 9 / 10] - tails[tails.Count / 10]);
                if (seed == context.Settings.Seed)
                {
                    for (var i = 0; i < tails.Count; i += Math.Max(1, tails.Count / 30))
                        table.Add(name, (i + 1.0) / tails.Count, tails[i]);
                }
            }

            headlines.Add(Headline.Of($"{name}: median", "ms", Estimate.Of(medians)));
            headlines.Add(Headline.Of($"{name}: 10 % to 90 %", "ms", Estimate.Of(spreads)));
        }

        return new ExperimentResult { Table = table, Headlines = headlines, Plots = [new("Figures 3 and 4", "tail", "share", "run")] };
    }
}

namespace Stout.Director.Experiments;

/// <summary>Figures 7 and 8 and table 2 of the Director's paper: a hotspot on a single key, simulated request by request.</summary>
internal sealed class HotspotExperiment() : DirectorExperiment("director-hotspot", "a hotspot of 30,000 requests/s on one key (figures 7 and 8, table 2)")
{
    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("run"), new Column("time", "min"), new Column("rate", "1/s"), new Column("slowShare"), new Column("tail", "ms"), new Column("servers"), new Column("replicas"));
        var headlines = new List<Headline>();
        var one = DirectorPolicy.Default with { LeastReplicas = 1, ReadFanOut = 1 };
        var mode = context.Pick(SimulationMode.Exact, SimulationMode.Flow);
        foreach (var (name, policy, paper) in new[]
        {
            ("ours", DirectorPolicy.Default, new double[] { 98, 95, 80 }),
            ("the paper's policy", DirectorPolicy.Paper(), [98, 95, 80]),
            ("ours, one replica", one, [95, 80, 80]),
            ("the paper's policy, one replica", DirectorPolicy.Paper() with { LeastReplicas = 1, ReadFanOut = 1 }, [95, 80, 80]),
        })
        {
            var runs = RunAll(context, seed => PaperScenarios.Hotspot(TrainedModels.SmallInstance, policy, seed, mode));
            headlines.AddRange(AttainedOf(name, runs, paper));
            headlines.Add(Headline.Of($"{name}: from the first to the last 20 s with a 99th percentile over 100 ms", "s", Of(runs, Disturbed), 180));
            headlines.Add(Headline.Of($"{name}: further replicas of the hot bin", "", Of(runs, run => run.Intervals.Max(interval => interval.MostReplicas) - policy.LeastReplicas), 8));
            headlines.Add(Headline.Of($"{name}: server units", "", Of(runs, run => run.Units)));
            headlines.Add(Headline.Of($"{name}: bins moved or copied", "", Of(runs, run => run.Moves)));
            for (var i = 0; i < runs[0].Intervals.Count; i++)
            {
                var interval = runs[0].Intervals[i];
                table.Add(name, (i + 1) / 3.0, interval.Rate, interval.SlowShare, interval.Tail * 1000, interval.Servers, interval.MostReplicas);
            }
        }

        return new ExperimentResult
        {
            Table = table,
            Headlines = headlines,
            Plots = [new("Figure 7: requests/s", "time", "rate", "run"), new("Figure 8: 99th percentile", "time", "tail", "run", Logarithmic: true), new("Figure 8: servers", "time", "servers", "run")],
        };
    }

    // The seconds from the first to the last interval of the spike in which more than 1 % of the reads are slow. The spike begins after 12 min: 36 intervals of
    // 20 s.
    private static double Disturbed(SimulationResult run)
    {
        var slow = Enumerable.Range(36, run.Intervals.Count - 36).Where(i => run.Intervals[i].SlowShare > 0.01).ToList();
        return slow.Count == 0 ? 0 : (slow[^1] - slow[0] + 1) * 20;
    }
}

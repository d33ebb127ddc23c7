namespace Stout.Director.Experiments;

/// <summary>Figures 9 and 10 of the Director's paper, and the table of figure 10: a day of load in two hours, simulated request by request.</summary>
internal sealed class DiurnalExperiment() : DirectorExperiment("director-diurnal", "a day of the World Cup's load in two hours (figures 9 and 10)")
{
    private static readonly (int Month, int Day)[] Days = [(6, 21), (6, 13), (6, 20)];

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var table = new Table(new Column("day"), new Column("run"), new Column("time", "h"), new Column("rate", "1/s"), new Column("slowShare"), new Column("servers"));
        var headlines = new List<Headline>();
        var mode = context.Pick(SimulationMode.Exact, SimulationMode.Flow);
        foreach (var (month, day) in Days)
        {
            var means = Day(context, month, day);
            var ideal = PaperScenarios.IdealUnits(means);
            headlines.Add(new($"{month:00}-{day:00}: ideal units", "", ideal, 175));
            foreach (var (name, policy, paper) in new[]
            {
                ("ours, 0.1", DirectorPolicy.Default, new double[] { 99, 95, 90 }),
                ("ours, 0.3", DirectorPolicy.Default with { Overprovisioning = 0.3 }, [99.5, 99, 95]),
                ("the paper's policy, 0.1", DirectorPolicy.Paper(), [99, 95, 90]),
                ("the paper's policy, 0.3", DirectorPolicy.Paper(0.3), [99.5, 99, 95]),
                ("ours, 0.1, no standbys", DirectorPolicy.Default with { Standbys = 0, Surge = 0 }, [99, 95, 90]),
                ("the paper's policy, 0.1, no standbys", DirectorPolicy.Paper() with { Standbys = 0 }, [99, 95, 90]),
                ("ours, 0.1, one replica", DirectorPolicy.Default with { LeastReplicas = 1, ReadFanOut = 1 }, [99, 95, 90]),
            })
            {
                var runs = RunAll(context, seed => PaperScenarios.Diurnal(TrainedModels.SmallInstance, means, policy, seed, mode));
                var where = $"{month:00}-{day:00}, {name}";
                headlines.AddRange(AttainedOf(where, runs, paper));
                headlines.Add(Headline.Of($"{where}: units in shares of the ideal", "", Of(runs, run => (double)run.Units / ideal), name.EndsWith("no standbys", StringComparison.Ordinal) ? 1.09 : 1.38));
                headlines.Add(Headline.Of($"{where}: less than fixed-100", "%", Of(runs, run => 100 * (1 - run.Units / (24.0 * 12))), 16));
                headlines.Add(Headline.Of($"{where}: less than fixed-70", "%", Of(runs, run => 100 * (1 - run.Units / (24.0 * 17))), 41));
                headlines.Add(Headline.Of($"{where}: bins moved", "", Of(runs, run => run.Moves)));
                for (var i = 0; i < runs[0].Intervals.Count; i++)
                    table.Add($"{month:00}-{day:00}", name, (i + 1) / 15.0, runs[0].Intervals[i].Rate, runs[0].Intervals[i].SlowShare, runs[0].Intervals[i].Servers);
            }
        }

        return new ExperimentResult
        {
            Table = table,
            Headlines = headlines,
            Plots =
            [
                new("Figure 9: servers", "time", "servers", "run") { Panels = ["day"] },
                new("Figure 10: slow reads", "time", "slowShare", "run") { Panels = ["day"] },
            ],
        };
    }
}

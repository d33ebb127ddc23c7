namespace Stout.Director.Experiments.RandomLoads;

/// <summary>Compares the default policy with the paper's, with autoscalers and with static servers on loads that are drawn at random.</summary>
internal sealed class RandomLoadsExperiment() : DirectorExperiment("director-loads", "the default policy on random loads, over the cheapest controller that violates the objective as rarely")
{
    private const int WorstShown = 15;
    private const string AutoscalerAt70 = "autoscaler at 70 %";

    private static readonly (string Name, Func<DrawnLoad, SimulationSettings> Settings)[] Comparators =
    [
        ("the paper's policy", load => load.Under(DirectorPolicy.Paper())),
        ("autoscaler at 50 %", load => load.UnderAutoscaler(0.5)),
        ("autoscaler at 60 %", load => load.UnderAutoscaler(0.6)),
        (AutoscalerAt70, load => load.UnderAutoscaler(0.7)),
        ("autoscaler at 80 %", load => load.UnderAutoscaler(0.8)),
        ("static servers", load => load.OnStaticServers()),
    ];

    protected override ExperimentResult Run(ExperimentContext context)
    {
        var seed = context.Settings.GivenSeed ?? PlannerSource.Seed();
        var known = new KnownComparatorRuns(context.Settings.Comparators);
        var results = Task.WhenAll(Enumerable.Range(1, context.Pick(context.Settings.Count, 3)).Select(number => context.RunAsync(() => Judge(context, known, seed, DrawnLoad.Draw(seed, number))))).GetAwaiter().GetResult();

        var table = new Table(
            new Column("load"), new Column("kind"), new Column("comparator"), new Column("ratio"), new Column("overIdeal"), new Column("comparatorOverIdeal"), new Column("violated", "min"),
            new Column("comparatorViolated", "min"), new Column("violatedAt70", "min"), new Column("actions"), new Column("actionsAt70"), new Column("description"));
        foreach (var one in results)
        {
            table.Add(
                one.Load.Number, one.Load.Kind, one.Comparator?.Controller ?? "none", one.Ratio, one.Director.Cost / one.Load.IdealCost, one.Comparator?.Cost / one.Load.IdealCost, one.Director.ViolatedMinutes,
                one.Comparator?.ViolatedMinutes, At70(one).ViolatedMinutes, one.Director.Actions, At70(one).Actions, one.Load.Description);
        }

        var ratios = results.Select(one => one.Ratio).Order().ToList();
        return new ExperimentResult
        {
            Table = table,
            Headlines =
            [
                new("seed", "", seed),
                new("loads", "", results.Length),
                new("cost over the comparator's, geometric mean (goal: at most 1.15)", "", GeometricMean(ratios)),
                new("the same in 95 of 100 loads (goal: at most 1.5)", "", ratios[(int)Math.Ceiling(0.95 * ratios.Count) - 1]),
                new("the same in the worst load (goal: at most 2.5)", "", ratios[^1]),
                new("loads without a comparator", "", results.Count(one => one.Comparator is null)),
                new("violated minutes, mean", "", results.Average(one => one.Director.ViolatedMinutes)),
                new("violated minutes over those of the autoscaler at 70 % (goal: at most 0.5)", "", results.Sum(one => one.Director.ViolatedMinutes) / (double)Math.Max(1, results.Sum(one => At70(one).ViolatedMinutes))),
                new("servers leased and released over those of the autoscaler at 70 % (goal: at most 3)", "", results.Sum(one => one.Director.Actions) / (double)Math.Max(1, results.Sum(one => At70(one).Actions))),
                new("cost over the ideal, geometric mean", "", GeometricMean(results.Select(one => one.Director.Cost / one.Load.IdealCost))),
                .. results.GroupBy(one => one.Load.Kind).Select(kind => new Headline($"{kind.Key}: cost over the comparator's, geometric mean", "", GeometricMean(kind.Select(one => one.Ratio)))),
            ],
            Notes =
            [
                "Of each load the comparator is the cheapest controller with at most one violated minute more than the Director. Without such a controller, the load counts as 1.",
                "Flow mode, measured from the first second. Without --seed, the seed is a hash of the planner's sources. Static servers are as many as the highest load needs at 70 %, and begin with bins spread by load.",
                .. results.OrderByDescending(one => one.Ratio).Take(WorstShown).Select(Worst),
            ],
        };
    }

    private static JudgedLoad Judge(ExperimentContext context, KnownComparatorRuns known, int seed, DrawnLoad load)
    {
        return new JudgedLoad(load, Run("the Director", load.Under(DirectorPolicy.Default)), [.. Comparators.Select(one => known.Get(seed, load.Number, one.Name, () => Run(one.Name, one.Settings(load))))]);

        ControllerRun Run(string name, SimulationSettings settings)
        {
            var run = SimulationRun.Run(settings, cancellationToken: context.CancellationToken);
            return new ControllerRun(name, run.Cost, run.Violations(load.Percentile, OneMinute), run.Leases + run.Releases);
        }
    }

    private static ControllerRun At70(JudgedLoad one) => one.Others.First(other => other.Controller == AutoscalerAt70);

    private static double GeometricMean(IEnumerable<double> ratios) => Math.Exp(ratios.Average(Math.Log));

    private static string Worst(JudgedLoad one) => FormattableString.Invariant(
        $"Load {one.Load.Number}: {one.Ratio:0.00} times {one.Comparator?.Controller ?? "none"}, violated {one.Director.ViolatedMinutes} and {one.Comparator?.ViolatedMinutes} min, {one.Director.Actions} actions. {one.Load.Description}");
}

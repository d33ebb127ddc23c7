using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Workloads;
using Stout.Experiments.Experiments;
using Stout.Experiments.Measuring;
using Stout.Experiments.Output;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Director;

/// <summary>What the Director's experiments have in common: five seeds, and the load file.</summary>
internal abstract class DirectorExperiment : IExperiment
{
    private const int Seeds = 5;

    protected static readonly TimeSpan FiveMinutes = TimeSpan.FromMinutes(5);
    protected static readonly TimeSpan OneMinute = TimeSpan.FromMinutes(1);
    protected static readonly TimeSpan TwentySeconds = TimeSpan.FromSeconds(20);

    public abstract string Name { get; }

    public abstract string Title { get; }

    public LawScope Scope => LawScope.Lane;

    public bool LawMatters => false;

    public ModelledStore Model { get; } = new("director", "simulated servers, calibrated on The SCADS Director's text");

    public Task<ExperimentResult> RunAsync(ExperimentContext context) => Task.Run(() => Run(context), context.CancellationToken);

    protected abstract ExperimentResult Run(ExperimentContext context);

    /// <summary>The seeds: five from the one asked for on, or as many as --rounds says.</summary>
    protected static IReadOnlyList<int> SeedsOf(ExperimentContext context)
    {
        var count = context.Settings.Seeds > 1 ? context.Settings.Seeds : context.Pick(Seeds, 1);
        return [.. Enumerable.Range(context.Settings.Seed, count)];
    }

    /// <summary>Runs each seed, one after the other: the figures are a median and a spread.</summary>
    protected static IReadOnlyList<SimulationResult> RunAll(ExperimentContext context, Func<int, SimulationSettings> settings) =>
        [.. SeedsOf(context).Select(seed => context.RunAsync(() => SimulationRun.Run(settings(seed), cancellationToken: context.CancellationToken)).GetAwaiter().GetResult())];

    protected static Estimate Of(IReadOnlyList<SimulationResult> runs, Func<SimulationResult, double> figure) => Estimate.Of([.. runs.Select(figure)]);

    /// <summary>Mean load of each 5 min of a day of the World Cup's site.</summary>
    protected static IReadOnlyList<double> Day(ExperimentContext context, int month, int day, int days = 1) =>
        LoadTrace.Read(LoadFile(context)).Means(new DateTime(1998, month, day, 0, 0, 0, DateTimeKind.Utc), days * 1440, 5);

    private static string LoadFile(ExperimentContext context)
    {
        if (context.Settings.Load is { } file)
            return file.FullName;
        for (var folder = new DirectoryInfo(Environment.CurrentDirectory); folder is not null; folder = folder.Parent)
        {
            var path = Path.Combine(folder.FullName, "shared", "data", "load", "worldcup98.csv.gz");
            if (File.Exists(path))
                return path;
        }

        throw new ExperimentException("shared/data/load/worldcup98.csv.gz lies in none of the folders above: name it with --load.");
    }
}

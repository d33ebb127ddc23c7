using Stout.Director.Simulation.Baselines;
using Stout.Director.Simulation.Workloads;
using Stout.Experiments.Measuring;

namespace Stout.Director.Experiments;

/// <summary>
/// The base class of the Director's experiments. It chooses the seeds, runs simulations, reports attained percentiles, and reads the load file.
/// </summary>
/// <param name="name">The name on the command line.</param>
/// <param name="title">The title of the report.</param>
internal abstract class DirectorExperiment(string name, string title)
{
    private const int Seeds = 5;

    protected static readonly TimeSpan OneMinute = TimeSpan.FromMinutes(1);
    protected static readonly IReadOnlyList<TimeSpan> Intervals = [TimeSpan.FromMinutes(5), OneMinute, TimeSpan.FromSeconds(20)];
    private static readonly string[] Words = ["5 min", "1 min", "20 s"];

    public string Name => name;

    public string Title => title;

    public Task<ExperimentResult> RunAsync(ExperimentContext context) => Task.Run(() => Run(context), context.CancellationToken);

    protected abstract ExperimentResult Run(ExperimentContext context);

    /// <summary>
    /// The seeds of the runs, beginning with the seed of the command line. Their number is that of the option --rounds, or else five (one in a brief run).
    /// </summary>
    protected static IReadOnlyList<int> SeedsOf(ExperimentContext context)
    {
        var count = context.Settings.Seeds > 1 ? context.Settings.Seeds : context.Pick(Seeds, 1);
        return [.. Enumerable.Range(context.Settings.Seed, count)];
    }

    /// <summary>Runs one simulation.</summary>
    protected static SimulationResult Simulate(ExperimentContext context, SimulationSettings settings) =>
        context.RunAsync(() => SimulationRun.Run(settings, cancellationToken: context.CancellationToken)).GetAwaiter().GetResult();

    /// <summary>Runs the simulation with each seed, one after the other, for a median and a spread of the figures.</summary>
    protected static IReadOnlyList<SimulationResult> RunAll(ExperimentContext context, Func<int, SimulationSettings> settings) =>
        [.. SeedsOf(context).Select(seed => Simulate(context, settings(seed)))];

    /// <summary>The same simulation, controlled by a baseline instead of a Director, with the paper's server type.</summary>
    protected static SimulationSettings Under(BaselineKind kind, SimulationSettings settings, int? servers = null, double target = 0.7)
    {
        var baseline = new BaselineSettings(kind, TrainedModels.SmallInstance.Type) { Target = target, Seed = settings.Seed };
        return settings with { Controller = cluster => new BaselineController(baseline, cluster), FirstServers = servers ?? settings.FirstServers };
    }

    protected static Estimate Of(IReadOnlyList<SimulationResult> runs, Func<SimulationResult, double> figure) => Estimate.Of([.. runs.Select(figure)]);

    protected static double Median(IReadOnlyList<SimulationResult> runs, Func<SimulationResult, double> figure) => Of(runs, figure).Value;

    /// <summary>A table with the given columns, followed by three columns for the percentiles attained over 5 min, 1 min and 20 s.</summary>
    protected static Table TableWithAttained(params IEnumerable<Column> columns) => new([.. columns, new("fiveMinutes"), new("oneMinute"), new("twentySeconds")]);

    /// <summary>Adds a row to a table of <see cref="TableWithAttained"/>: the given cells, and the medians of the percentiles that the runs attain.</summary>
    protected static void AddRow(Table table, IReadOnlyList<SimulationResult> runs, params IEnumerable<object?> cells) =>
        table.Add([.. cells, .. Intervals.Select(interval => (object?)Median(runs, run => run.AttainedPercentile(interval)))]);

    /// <summary>The percentiles that the runs attain over 5 min, 1 min and 20 s, each beside the paper's.</summary>
    protected static IEnumerable<Headline> AttainedOf(string run, IReadOnlyList<SimulationResult> runs, IReadOnlyList<double> paper) =>
        Intervals.Select((interval, i) => Headline.Of($"{run}: attained percentile over {Words[i]}", "", Of(runs, one => one.AttainedPercentile(interval)), paper[i]));

    /// <summary>The mean load of the World Cup's site in each 5 min of one or more days.</summary>
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

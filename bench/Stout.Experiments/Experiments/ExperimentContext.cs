using Authors.Editing;
using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>An experiment's input: the settings, and a runner of its scenarios.</summary>
/// <param name="settings">The settings of the command line.</param>
/// <param name="experiment">The experiment.</param>
/// <param name="pool">Runs scenarios.</param>
/// <param name="capacity">Requests/s that a real store sustains here and now; null on the model, and where it is not needed.</param>
internal sealed class ExperimentContext(RunSettings settings, IExperiment experiment, RunPool pool, double? capacity = null)
{
    // The highest of the paper's loads, in requests/s: the most that Stout gets out of the paper's store.
    private const double PaperCapacity = 41_000;

    public RunSettings Settings => settings;

    public StoreKind Model => settings.Model;

    public PacingChoice Law => settings.Law;

    public CancellationToken CancellationToken => pool.CancellationToken;

    /// <summary>
    /// The reason for a difference from the paper's figure: <paramref name="why"/> with the paper's law; with another law, that the law is another.
    /// </summary>
    public string Because(string why) => Law.Name == "paper" ? why : "another law than the paper's";

    /// <summary>One of two values, by the effort of the run.</summary>
    public T Pick<T>(T full, T brief) => settings.Effort == Effort.Full ? full : brief;

    /// <summary>One of three values: by the effort on the model, or the third on a real store, where runs take real time.</summary>
    public T Pick<T>(T full, T brief, T real) => settings.OnModel ? Pick(full, brief) : real;

    /// <summary>A time span in seconds of virtual time, by the effort of the run.</summary>
    public TimeSpan Seconds(double full, double brief) => TimeSpan.FromSeconds(Pick(full, brief));

    /// <summary>A time span in seconds: by the effort on the model, or the third value on a real store.</summary>
    public TimeSpan Seconds(double full, double brief, double real) => TimeSpan.FromSeconds(Pick(full, brief, real));

    /// <summary>One of the paper's loads in requests/s; on a real store the same share of the rate that the store sustains.</summary>
    public double Rate(double paper) => settings.OnModel ? paper : ShareOf(paper) * Capacity;

    /// <summary>One of the paper's loads in words.</summary>
    public string RateName(double paper) => settings.OnModel ? FormattableString.Invariant($"{paper / 1_000:0.#}k requests/s") : FormattableString.Invariant($"{100 * ShareOf(paper):0} % of capacity");

    /// <summary>The paper's workload at a constant load, all middle tiers paced alike.</summary>
    public Scenario Constant(PacingChoice law, double requestsPerSecond)
    {
        var warmup = settings.OnModel ? Length(law) / 3 : settings.Live.Warmup;
        return new Scenario
        {
            Store = Model,
            Load = LoadProfile.Constant(requestsPerSecond),
            Law = law,
            Scope = settings.ScopeOf(law, experiment),
            Tiers = settings.OnModel ? 32 : settings.Live.Tiers,
            Documents = settings.OnModel ? 64_000 : settings.Live.Documents,
            Seed = settings.Seed,
            Duration = settings.OnModel ? Length(law) : warmup + settings.Live.Measured,
            Warmup = warmup,
        };
    }

    public Task<RunFigures> RunAsync(Scenario scenario) => pool.RunAsync(scenario);

    /// <summary>Runs work that is not a scenario.</summary>
    public Task<T> RunAsync<T>(Func<T> work) => pool.RunAsync(work);

    public Task<EditingFigures> ReplayAsync(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings replay) => pool.ReplayAsync(histories, scenario, replay);

    /// <summary>Runs all scenarios, in any order, and on the model several at a time. The figures are in the order of the scenarios.</summary>
    public async Task<RunFigures[]> RunAllAsync(IEnumerable<Scenario> scenarios)
    {
        var runs = scenarios.ToArray();
        var order = Enumerable.Range(0, runs.Length).ToArray();
        // The speed of the machine changes from minute to minute. A random order keeps that from favoring some scenarios.
        if (!settings.OnModel)
            Random.Shared.Shuffle(order);
        var figures = new RunFigures[runs.Length];
        await Task.WhenAll(order.Select(async i => figures[i] = await pool.RunAsync(runs[i])));
        return figures;
    }

    /// <summary>Runs all scenarios in each of several rounds; each round has another seed.</summary>
    public async Task<IReadOnlyList<Rounds>> RepeatAllAsync(IEnumerable<Scenario> scenarios)
    {
        var runs = scenarios.ToList();
        var rounds = new List<RunFigures[]>();
        for (var round = 0; round < settings.Rounds; round++)
        {
            var number = round;
            rounds.Add(await RunAllAsync(runs.Select(scenario => scenario.InRound(number))));
        }

        return [.. runs.Select((_, i) => new Rounds([.. rounds.Select(round => round[i])]))];
    }

    private double Capacity => capacity ?? throw new InvalidOperationException($"The store's capacity was not measured: {experiment.Name} must not have loads relative to it.");

    private static double ShareOf(double paper) => paper / PaperCapacity;

    // Fixed intervals settle at once, so half of the time suffices.
    private TimeSpan Length(PacingChoice law) => law.Adapts ? Seconds(60, 24) : Seconds(30, 9);
}

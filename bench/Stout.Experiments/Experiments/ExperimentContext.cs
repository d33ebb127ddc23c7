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
    // The highest of the paper's loads: the most that Stout gets out of its store.
    private const double PaperCapacity = 41_000;

    public RunSettings Settings => settings;

    public StoreKind Model => settings.Model;

    public PacingChoice Law => settings.Law;

    public CancellationToken CancellationToken => pool.CancellationToken;

    /// <summary>The reason for a difference from the paper's figure: the one found for the paper's law, or that this law is another.</summary>
    public string Because(string why) => Law.Name == "paper" ? why : "another law than the paper's";

    /// <summary>One of two values by how much work is to be done.</summary>
    public T Pick<T>(T full, T brief) => settings.Effort == Effort.Full ? full : brief;

    /// <summary>The same, and a third for a real store, where a second takes a second.</summary>
    public T Pick<T>(T full, T brief, T real) => settings.OnModel ? Pick(full, brief) : real;

    /// <summary>Seconds of model time by how much work is to be done.</summary>
    public TimeSpan Seconds(double full, double brief) => TimeSpan.FromSeconds(Pick(full, brief));

    /// <summary>The same, and seconds on a real store.</summary>
    public TimeSpan Seconds(double full, double brief, double real) => TimeSpan.FromSeconds(Pick(full, brief, real));

    /// <summary>One of the paper's loads in requests/s; on a real store the same share of what that one sustains.</summary>
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

    /// <summary>Runs something that is no scenario.</summary>
    public Task<T> RunAsync<T>(Func<T> work) => pool.RunAsync(work);

    public Task<EditingFigures> ReplayAsync(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings replay) => pool.ReplayAsync(histories, scenario, replay);

    /// <summary>Runs them all, in any order and side by side where that does no harm; the figures come in the scenarios' order.</summary>
    public async Task<RunFigures[]> RunAllAsync(IEnumerable<Scenario> scenarios)
    {
        var runs = scenarios.ToArray();
        var order = Enumerable.Range(0, runs.Length).ToArray();
        // The machine changes from minute to minute, so the order is random.
        if (!settings.OnModel)
            Random.Shared.Shuffle(order);
        var figures = new RunFigures[runs.Length];
        await Task.WhenAll(order.Select(async i => figures[i] = await pool.RunAsync(runs[i])));
        return figures;
    }

    /// <summary>Runs them all in each of several rounds, with another seed in each.</summary>
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

    private double Capacity => capacity ?? throw new InvalidOperationException($"Nobody has asked what the store sustains: {experiment.Name} must not have loads relative to that.");

    private static double ShareOf(double paper) => paper / PaperCapacity;

    // Fixed intervals come to rest at once: half the time shows as much.
    private TimeSpan Length(PacingChoice law) => law.Adapts ? Seconds(60, 24) : Seconds(30, 9);
}

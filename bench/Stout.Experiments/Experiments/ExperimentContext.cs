using Stout.Experiments.Laws;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>What an experiment is given: the settings, and something that runs its scenarios.</summary>
internal sealed class ExperimentContext(RunSettings settings, IExperiment experiment, RunPool pool)
{
    public RunSettings Settings => settings;

    public StoreKind Model => settings.Model;

    public PacingChoice Law => settings.Law;

    public CancellationToken CancellationToken => pool.CancellationToken;

    /// <summary>Why a figure of the law in question differs from the paper's: what was found for the paper's law, or that it is another.</summary>
    public string Because(string why) => Law.Name == "paper" ? why : "another law than the paper's";

    /// <summary>One of two values by how much work is to be done.</summary>
    public T Pick<T>(T full, T brief) => settings.Effort == Effort.Full ? full : brief;

    /// <summary>Seconds of model time by how much work is to be done.</summary>
    public TimeSpan Seconds(double full, double brief) => TimeSpan.FromSeconds(Pick(full, brief));

    /// <summary>The paper's workload at a constant load, all middle tiers paced alike.</summary>
    public Scenario Constant(PacingChoice law, double requestsPerSecond) => new()
    {
        Store = Model,
        Load = LoadProfile.Constant(requestsPerSecond),
        Law = law,
        Scope = settings.ScopeOf(law, experiment),
        Seed = settings.Seed,
        Duration = Length(law),
        Warmup = Length(law) / 3,
    };

    // Fixed intervals come to rest at once: half the time shows as much.
    private TimeSpan Length(PacingChoice law) => law.Adapts ? Seconds(60, 24) : Seconds(30, 9);

    public Task<RunFigures> RunAsync(Scenario scenario) => pool.RunAsync(scenario);

    /// <summary>Runs something that is no scenario.</summary>
    public Task<T> RunAsync<T>(Func<T> work) => pool.RunAsync(work);

    /// <summary>Runs them side by side; the figures come in the scenarios' order.</summary>
    public Task<RunFigures[]> RunAllAsync(IEnumerable<Scenario> scenarios) => Task.WhenAll(scenarios.Select(pool.RunAsync));
}

using System.Collections.Concurrent;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>
/// Keeps the figures of runs for further experiments with the same scenario. Figures 8, 9 and 10 of the paper show different sides of the same runs. Equal
/// scenarios have equal figures, so a repetition would only take time.
/// </summary>
internal sealed class KnownRuns
{
    private readonly ConcurrentDictionary<Scenario, Lazy<Task<RunFigures>>> _runs = new();

    public Task<RunFigures> GetAsync(Scenario scenario, Func<Scenario, Task<RunFigures>> make) =>
        _runs.GetOrAdd(scenario, one => new Lazy<Task<RunFigures>>(() => make(one))).Value;
}

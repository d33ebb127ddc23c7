using Authors.Editing;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Runs scenarios, at most <see cref="IRunner.Parallel"/> at a time.</summary>
/// <param name="runner">Runs one scenario.</param>
/// <param name="known">The runs that need not be repeated; null: equal scenarios are run again.</param>
/// <param name="cancellationToken">Stops all runs.</param>
internal sealed class RunPool(IRunner runner, KnownRuns? known, CancellationToken cancellationToken) : WorkPool(runner.Parallel, cancellationToken)
{
    public Task<RunFigures> RunAsync(Scenario scenario) => known is null ? MakeAsync(scenario) : known.GetAsync(scenario, MakeAsync);

    public Task<EditingFigures> ReplayAsync(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings settings) =>
        RunAsync(() => runner.ReplayAsync(histories, scenario, settings, CancellationToken));

    private Task<RunFigures> MakeAsync(Scenario scenario) => RunAsync(() => runner.RunAsync(scenario, CancellationToken));
}

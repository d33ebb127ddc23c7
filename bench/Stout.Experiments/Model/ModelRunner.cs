using Authors.Editing;
using Stout.Experiments.Experiments;
using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Editing;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Model;

/// <summary>Runs scenarios in virtual time. Scenarios do not influence each other.</summary>
internal sealed class ModelRunner(int parallel) : IRunner
{
    public int Parallel => parallel;

    public Task<RunFigures> RunAsync(Scenario scenario, CancellationToken cancellationToken) =>
        Task.Run(() => Simulation.Run(scenario, cancellationToken), cancellationToken);

    public Task<EditingFigures> ReplayAsync(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings settings, CancellationToken cancellationToken) =>
        Task.Run(() => EditingSimulation.Run(histories, scenario, settings, cancellationToken), cancellationToken);

    public ValueTask DisposeAsync() => default;
}

using Authors.Editing;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Runs what experiments ask for: on the model, or on a real store.</summary>
internal interface IRunner : IAsyncDisposable
{
    /// <summary>How many runs at a time don't disturb each other.</summary>
    int Parallel { get; }

    Task<RunFigures> RunAsync(Scenario scenario, CancellationToken cancellationToken);

    /// <summary>Replays editing histories, one document each.</summary>
    /// <param name="histories">The histories to replay.</param>
    /// <param name="scenario">The law, the store and the seed; its load has no meaning here.</param>
    /// <param name="settings">How.</param>
    /// <param name="cancellationToken">Stops it.</param>
    Task<EditingFigures> ReplayAsync(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings settings, CancellationToken cancellationToken);
}

using Authors.Editing;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Runs the scenarios and replays of experiments, on the model or on a real store.</summary>
internal interface IRunner : IAsyncDisposable
{
    /// <summary>The largest number of runs that can go on at the same time without disturbing each other.</summary>
    int Parallel { get; }

    Task<RunFigures> RunAsync(Scenario scenario, CancellationToken cancellationToken);

    /// <summary>Replays editing histories, one document each.</summary>
    /// <param name="histories">The histories to replay.</param>
    /// <param name="scenario">The law, the store and the seed; its load is not used.</param>
    /// <param name="settings">The speed, and whether each section of a document is a part.</param>
    /// <param name="cancellationToken">Stops the replay.</param>
    Task<EditingFigures> ReplayAsync(IReadOnlyList<EditingHistory> histories, Scenario scenario, EditingSettings settings, CancellationToken cancellationToken);
}

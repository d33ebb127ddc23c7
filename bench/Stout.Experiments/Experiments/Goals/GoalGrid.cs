using Stout.Experiments.Model.Stores;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>Where a law is held to its goals under a constant load.</summary>
/// <param name="Stores">The kinds of store.</param>
/// <param name="Tiers">Numbers of middle tiers.</param>
/// <param name="Shares">Loads, as shares of what the longest interval carries.</param>
/// <param name="Seeds">How many.</param>
/// <param name="MostSeeds">How many where these can't tell whether a goal is met.</param>
internal sealed record GoalGrid(IReadOnlyList<StoreKind> Stores, IReadOnlyList<int> Tiers, IReadOnlyList<double> Shares, int Seeds, int MostSeeds)
{
    // Those that the goals are set for, then two on which a request's own time is easily taken for a queue.
    private static readonly StoreKind[] All = [StoreKinds.One, StoreKinds.Workers8, StoreKinds.GroupCommit, StoreKinds.PacificA, StoreKinds.Varying, StoreKinds.CommitDelay];

    /// <summary>Some minutes.</summary>
    public static GoalGrid Quick { get; } = new(All, [4, 32], [0.15, 0.6, 0.9], 2, 2);

    /// <summary>Some hundred minutes of processor time, a good part of it for what five seeds can't tell.</summary>
    public static GoalGrid Full { get; } = new(All, [1, 4, 32], [0.05, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 0.98], 5, 20);

    public static GoalGrid Of(string name, Effort effort) =>
        effort == Effort.Brief ? new GoalGrid([StoreKinds.One], [32], [0.3], 1, 1) : name == "full" ? Full : Quick;
}

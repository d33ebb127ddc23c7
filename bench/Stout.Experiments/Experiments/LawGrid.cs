using Stout.Experiments.Model.Stores;

namespace Stout.Experiments.Experiments;

/// <summary>The size of the comparison of the laws.</summary>
/// <param name="Stores">The number of store models.</param>
/// <param name="EveryLoad">The grid has every <c>EveryLoad</c>-th of each store's loads; with 1 it has all of them.</param>
/// <param name="Tiers">The numbers of middle tiers.</param>
/// <param name="Duration">The length of a run with a law that does not adapt; its second half is measured.</param>
/// <param name="AdaptiveDuration">The length of a run with a law that adapts: a cold start under a high load takes up to half a minute.</param>
internal sealed record LawGrid(int Stores, int EveryLoad, IReadOnlyList<int> Tiers, TimeSpan Duration, TimeSpan AdaptiveDuration)
{
    /// <summary>A grid that takes a few minutes.</summary>
    public static LawGrid Quick { get; } = new(5, 3, [32], TimeSpan.FromSeconds(16), TimeSpan.FromSeconds(48));

    /// <summary>A grid that takes an hour or more.</summary>
    public static LawGrid Full { get; } = new(5, 1, [1, 4, 32], TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(90));

    public static LawGrid Of(string name, Effort effort) =>
        effort == Effort.Brief ? new LawGrid(1, 4, [32], TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(4)) : name == "full" ? Full : Quick;

    public IEnumerable<double> LoadsOf(StoreKind store) => store.Loads.Where((_, i) => i % EveryLoad == 0);
}

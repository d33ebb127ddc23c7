using Stout.Experiments.Model.Stores;

namespace Stout.Experiments.Experiments;

/// <summary>How fine the comparison of the laws is.</summary>
/// <param name="Stores">How many of the store models.</param>
/// <param name="EveryLoad">Every so many of each store's loads.</param>
/// <param name="Tiers">Numbers of middle tiers.</param>
/// <param name="Duration">Of a run whose pace is the same from beginning to end; its second half is measured.</param>
/// <param name="AdaptiveDuration">Of any other: a cold start under a high load takes up to half a minute.</param>
internal sealed record LawGrid(int Stores, int EveryLoad, IReadOnlyList<int> Tiers, TimeSpan Duration, TimeSpan AdaptiveDuration)
{
    /// <summary>A few minutes.</summary>
    public static LawGrid Quick { get; } = new(5, 3, [32], TimeSpan.FromSeconds(16), TimeSpan.FromSeconds(48));

    /// <summary>An hour or more.</summary>
    public static LawGrid Full { get; } = new(5, 1, [1, 4, 32], TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(90));

    public static LawGrid Of(string name, Effort effort) =>
        effort == Effort.Brief ? new LawGrid(1, 4, [32], TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(4)) : name == "full" ? Full : Quick;

    public IEnumerable<double> LoadsOf(StoreKind store) => store.Loads.Where((_, i) => i % EveryLoad == 0);
}

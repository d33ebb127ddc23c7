using Stout.Experiments.Model.Stores;

namespace Stout.Experiments.Experiments;

/// <summary>How fine the comparison of the laws is.</summary>
internal sealed record LawGrid(int Stores, int EveryLoad, IReadOnlyList<int> Tiers, TimeSpan Duration)
{
    /// <summary>A few minutes.</summary>
    public static LawGrid Quick { get; } = new(5, 3, [32], TimeSpan.FromSeconds(16));

    /// <summary>An hour or more.</summary>
    public static LawGrid Full { get; } = new(5, 1, [1, 4, 32], TimeSpan.FromSeconds(60));

    public static LawGrid Of(string name, Effort effort) =>
        effort == Effort.Brief ? new LawGrid(1, 4, [32], TimeSpan.FromSeconds(4)) : name == "full" ? Full : Quick;

    public IEnumerable<double> LoadsOf(StoreKind store) => store.Loads.Where((_, i) => i % EveryLoad == 0);
}

using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Tests.Live;

/// <summary>Scenarios that take less than a second.</summary>
internal static class LiveScenarios
{
    public static Scenario OnOneTier() => new()
    {
        Store = StoreKinds.One with { Partitions = 1 },
        Load = LoadProfile.Constant(400),
        Law = LawCatalogue.Default,
        Tiers = 1,
        Documents = 40,
        Duration = TimeSpan.FromMilliseconds(400),
        Warmup = TimeSpan.FromMilliseconds(100),
    };
}

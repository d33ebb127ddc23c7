using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>The paper's setting for hiccups (section 5.7): one middle tier writes 3,000 times a second to one store partition.</summary>
internal static class Hiccups
{
    /// <summary>The report's notes on how a real store was paused.</summary>
    public static string[] HowOnRealStores(LiveSettings settings) =>
    [
        "The load is the same share of what the store sustains as in the paper's setting.",
        settings.ServerProcess is null ? "Requests were held before they reached the store, by the faulty store of Stout.Testing." : "The server's processes got SIGSTOP, then SIGCONT.",
    ];

    public static Scenario Scenario(ExperimentContext context, PacingChoice law, StoreSpeed speed) => context.Constant(law, context.Rate(3_000)) with
    {
        Store = context.Model with { Partitions = 1 },
        Tiers = 1,
        Documents = 2_000,
        WriteShare = 1,
        Speed = _ => speed,
    };
}

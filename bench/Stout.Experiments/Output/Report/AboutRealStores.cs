namespace Stout.Experiments.Output.Report;

/// <summary>The scope of runs on real stores, which a reader has to know before trusting their figures.</summary>
internal static class AboutRealStores
{
    public const string Title = "Runs on real stores";

    public static IReadOnlyList<string> Paragraphs { get; } =
    [
        "On a real store nothing is modeled. One process has several middle tiers, each with its own Stout, its own connections, and a real law in every lane. Each middle tier has its documents in memory, and "
        + "all of them are in the store before the first run, so that writes replace rows.",
        "Load is open here too. One thread sends the requests of each millisecond together. Latency counts from the end of that millisecond, so delays of the thread count as latency.",
        "A machine changes from minute to minute, most of all its disk. So loads are shares of the rate that the store sustained just before with some fixed interval of at most 400 ms. Compared variants "
        + "run in turn, in random order, in several rounds, and ratios are of runs of the same round. Trust the ratios with their spread, and no absolute time.",
        "Clients, middle tiers and a store's server on the same machine share the processors. A capacity is that of all of them together.",
    ];
}

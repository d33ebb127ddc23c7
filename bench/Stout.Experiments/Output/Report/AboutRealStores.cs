namespace Stout.Experiments.Output.Report;

/// <summary>What a reader has to know before trusting a figure from a real store.</summary>
internal static class AboutRealStores
{
    public const string Title = "What the runs on real stores are, and what they are not";

    public static IReadOnlyList<string> Paragraphs { get; } =
    [
        "On a real store nothing is modelled: several middle tiers in one process, each with its own Stout and its own connections, a real law in every lane, and time that is real. Each middle tier holds its documents in memory, and "
        + "every one of them is in the store before the first run, so that writes replace rows.",
        "Load is open here too. One thread sends what is due, a millisecond's requests together; latency counts from the end of that millisecond, and whatever delays the thread beyond it counts as latency.",
        "No machine is the same from minute to minute, least of all its disk and what else runs on it. So loads are shares of what the store sustained just before with some fixed interval of at most 400 ms, what is compared "
        + "runs in turn, in random order, in several rounds, and ratios are of runs of the same round. Believe the ratios, with their spread, and no millisecond.",
        "Clients, middle tiers and, where it is on the same machine, the store's server share the processors. A capacity is that of all of them together.",
    ];
}

namespace Stout.Experiments.Output.Report;

/// <summary>What a reader has to know before trusting a figure from the model.</summary>
internal static class AboutTheModel
{
    public static IReadOnlyList<string> Paragraphs { get; } =
    [
        "A run on the model is a discrete-event simulation in virtual time. All that decides is the production code: the core of every lane, "
        + "with its dependency map, pacing law, batch splitting and retries. The rest is modelled: the clients, the network, the store, and a lane's "
        + "shell, which takes no time.",
        "The store is a queue. Two numbers describe it, what a request takes and what each write in it takes, and they are calibrated on the paper's table 1 "
        + "alone. So table 1 agrees because it was made to; every other figure is a prediction.",
        "It leaves out the middle tiers' processors and memory, the network's bandwidth, limits on connections, the store's caches and "
        + "checkpoints. Where one of these was the paper's bottleneck, ours is the higher figure. A document has one write in flight at most, as in this library; "
        + "the paper pipelines writes of one document.",
        "Load is open: requests come at random times at the offered rate, however slow the service is, and latency counts from a request's intended "
        + "start. Where a load is too much, waiting requests grow for as long as the run lasts, and the latency says how long that was and nothing else: "
        + "plots show such a point as a cross.",
        "Where a section does not say otherwise, a figure is of one run with one seed. Believe ratios and shapes before milliseconds, and no difference of a few per cent.",
    ];
}

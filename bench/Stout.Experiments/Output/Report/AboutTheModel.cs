namespace Stout.Experiments.Output.Report;

/// <summary>The model's scope, which a reader has to know before trusting its figures.</summary>
internal static class AboutTheModel
{
    public static IReadOnlyList<string> Paragraphs { get; } =
    [
        "A run on the model is a discrete-event simulation in virtual time. Production code makes all decisions: the core of every lane, with its dependency map, pacing law, batch splitting and retries. "
        + "Clients, the network and the store are modeled. The rest of a lane's code takes no time.",
        "The store is a queue with two parameters: the time of a request, and the time of each write in it. They are calibrated on the paper's table 1 alone.",
        "The model omits the middle tiers' processors and memory, the network's bandwidth, limits on connections, and the store's caches and checkpoints. If one of these was the paper's bottleneck, our figure is higher. "
        + "As in the library, a document has at most one write in flight; the paper pipelines writes of one document.",
        "Load is open: requests arrive at random times at the offered rate, and latency counts from a request's intended start. Under overload the queue grows for as long as the run lasts, and the latency only reflects the run's length. "
        + "Plots mark such points with a cross.",
        "A figure is of one run with one seed unless its page says otherwise. Trust ratios and shapes more than milliseconds, and ignore differences of a few per cent.",
    ];
}

namespace Stout.Experiments.Output.Report;

/// <summary>The finding of each experiment in a few sentences, for the documentation's page.</summary>
internal static class Findings
{
    private static readonly Dictionary<string, string> ByExperiment = new(StringComparer.Ordinal)
    {
        ["verify"] = "The simulation agrees with queueing theory for five queues without Stout.",
        ["table1"] = "The model's store is calibrated on this table of the paper alone. All other figures are predictions.",
        ["fig6"] =
            "Collapsing alone saves writes if documents are few. With 100 documents the store never falls behind, since each document has one write in flight. With 10,000 documents few writes collapse, and the store saturates.",
        ["fig7"] = "At a low rate batching makes no difference. At higher rates separate writes fall behind, and batches do not.",
        ["fig8"] =
            "The paper's law is faster than every fixed interval at a low rate. At a high rate it carries as much load as the longest interval. Each fixed interval suits only some of the rates.",
        ["fig9"] = "Reads come from memory. They wait only for undurable changes of their document.",
        ["fig10"] = "The paper's law is slower than the best fixed interval, by more than in the paper: its interval swings around the best one. The best interval is found by search for each rate, and unknown in practice.",
        ["fig11"] = "After a fall of the rate, the paper's law settles within seconds. After a rise it runs away for some seeds: the queue still grows at the end of the run.",
        ["fairness"] = "Middle tiers that start with very different intervals converge to the same latency.",
        ["fig12"] = "The paper gives no calibration for this store, so its model is a guess. At a low rate the law is faster than intervals of 20 and 40 ms; at higher rates its queue grows. The paper reports difficulty above 22,200 requests/s.",
        ["sds"] = "On a store without batches, the law converges to its shortest interval, as in the paper.",
        ["fig13"] = "The model draws pauses at random, since the paper did not find their cause. The largest latencies are three orders of magnitude above the median.",
        ["fig14"] = "The law lengthens its interval after a pause of the store, and recovers within seconds.",
        ["runaway"] =
            "The paper's law runs away when three causes meet: its least time for each decision, pipelined requests, and clients that do not wait. A change of any one of them prevents this. Here a document has one write in flight, while the paper pipelines writes. With more documents, the results come closer to the paper's.",
        ["reasons"] =
            "Three causes explain most differences from the paper. In its figure 8 the paper's store takes longer for a batch than in its table 1. The paper's clients wait for replies, so their requests arrive just after a batch. A write then waits nearly a whole interval, not half. The paper also pipelines writes of one document.",
        ["mixed"] = "Middle tiers with different laws share a store. Each middle tier completes its load; their latencies differ by a third at most.",
        ["slow-partition"] = "With one law for each lane, a slow store partition does not delay the others.",
        ["editing"] =
            "After a replay of real editing histories, the store has the final state of every history. With sub-keys a keystroke writes its section instead of the whole document.",
        ["cost"] = "Batching saves transactions in Azure Tables at a high rate. In Cosmos DB, request units grow with the number of documents written. Only collapsing (one write for several changes of a document) saves request units.",
        ["goals"] =
            "The default law is compared with the best of all fixed intervals, no batching and small windows, chosen with hindsight for each store. Stores, lanes and loads are drawn at random, with a seed from the law's source.",
    };

    // The findings with the default law, where they differ from those with the paper's law.
    private static readonly Dictionary<string, string> OfDefaultLaw = new(StringComparer.Ordinal)
    {
        ["fig8"] = "The default law is faster than every fixed interval at a low rate. At a high rate it carries as much load as the longest interval.",
        ["fig10"] = "The default law is a third slower than the best fixed interval, and more than twice as fast as the paper reports for its law. The best interval is found by search for each rate, and unknown in practice.",
        ["fig11"] = "After a fall or a rise of the rate, the default law settles within a second in the median. No queue grows.",
        ["fig12"] = "The paper gives no calibration for this store, so its model is a guess. The default law needs no calibration.",
        ["sds"] = "On a store without batches, the default law ends at an interval of 4 ms, with the latency of sending at once.",
        ["fig14"] = "The default law recovers from a pause of the store within a second.",
        ["mixed"] = "Middle tiers with the default law share a store with middle tiers of another law. Each middle tier completes its load; their latencies differ by up to three times.",
    };

    /// <summary>The finding of an experiment with a law; null if the experiment has no finding.</summary>
    public static string? Of(string experiment, string? law) =>
        law == "delay" && OfDefaultLaw.TryGetValue(experiment, out var finding) ? finding : ByExperiment.GetValueOrDefault(experiment);
}

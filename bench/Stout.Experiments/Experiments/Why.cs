namespace Stout.Experiments.Experiments;

/// <summary>The results of <see cref="Reasons"/> and <see cref="Runaway"/>, in the words of the report.</summary>
internal static class Why
{
    public const string Pipelined =
        "the paper pipelines writes of a document, so its queue can grow; here a document has one write in flight. With pipelined writes the model gives the paper's figure (reasons)";

    public const string WholeInterval =
        "a write waits half an interval under an open load, a whole one with clients that wait for their replies: then the model is within a quarter of the paper (reasons)";

    public const string Store =
        "the store of the paper's figures 8 to 11 takes longer for a batch than the one of its table 1, on which the model is calibrated: the model of that store has the paper's best intervals (reasons)";

    public const string LightLoad =
        "in part the store of figure 8 (reasons); the rest is not found: the model has no front-ends and no processors";

    public const string Swings =
        "its interval swings: its mean is near the best fixed interval, and held fixed it has about that one's latency (reasons). What damped it in the paper is not found";

    public const string BestIsCheaper = "the store and clients that wait together come within 40 % (reasons); the ratio has both this and the law's swings in it";

    public const string RunsAway = "the law runs away for some seeds, because of its least time per decision, pipelining and open clients together (runaway)";

    public const string NoLongInterval =
        "the law decides too seldom to come to 400 ms: without its least time per decision, and with many documents, it does, and takes about as long to recover as in the paper (runaway)";
}

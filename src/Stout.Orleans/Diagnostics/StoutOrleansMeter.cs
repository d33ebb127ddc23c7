namespace Stout.Orleans.Diagnostics;

/// <summary>The names of this package's meter, counters and tags. The core package Stout has a meter of its own.</summary>
public static class StoutOrleansMeter
{
    /// <summary>The name of the meter.</summary>
    public const string Name = "Stout.Orleans";

    /// <summary>Counter: keys of states that were claimed.</summary>
    public const string Claims = "stout.orleans.claims";

    /// <summary>
    /// Counter: states that were reopened at their last version without a read, after a migration or after a write that was certainly not applied.
    /// </summary>
    public const string Resumes = "stout.orleans.resumes";

    /// <summary>Counter: states that an activation no longer owns, or whose last write has an unknown outcome, by <see cref="ReasonTag"/>.</summary>
    public const string Losses = "stout.orleans.losses";

    /// <summary>Counter: states that were imported from the former storage.</summary>
    public const string Imports = "stout.orleans.imports";

    /// <summary>
    /// Counter: grains that a stopping silo handed over, by <see cref="OutcomeTag"/>. Counted when the hand-over ends.
    /// </summary>
    public const string HandOvers = "stout.orleans.handovers";

    /// <summary>Tag: the provider's name.</summary>
    public const string ProviderTag = "stout.orleans.provider";

    /// <summary>
    /// Tag: the outcome of a hand-over. "handed_over" is a grain that was sent with its states, and "let_go" one whose calls or writes had not ended.
    /// "cold" is one that stopped without a hand-over. If the other silo did not take a grain that was sent, the next activation reads the store.
    /// </summary>
    public const string OutcomeTag = "stout.orleans.outcome";

    /// <summary>Tag: the reason of a loss, "fenced", "conflict" or "unknown".</summary>
    public const string ReasonTag = "stout.orleans.reason";
}

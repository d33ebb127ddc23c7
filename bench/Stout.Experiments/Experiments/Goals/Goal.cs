using Stout.Experiments.Measuring;

namespace Stout.Experiments.Experiments.Goals;

/// <summary>One figure a law is held to.</summary>
/// <param name="Name">What is asked.</param>
/// <param name="Place">Where it was measured: store, middle tiers, load.</param>
/// <param name="Measured">Infinity: never.</param>
/// <param name="Limit">What it may come to.</param>
/// <param name="AtLeast">Whether the limit is the least and not the most.</param>
/// <param name="Told">What a fixed interval comes to that is told of the change at once, which no law is, and is among the best after it; null: not asked.</param>
/// <param name="Single">The median of what single seeds come to, where <paramref name="Measured"/> is of their mean over time; null: it is not.</param>
/// <param name="Pairs">The ratio of each seed, where <paramref name="Measured"/> is the ratio of their means; null: it is not.</param>
internal sealed record Goal(string Name, string Place, double Measured, double Limit, bool AtLeast = false, double? Told = null, double? Single = null, PairedRatio? Pairs = null)
{
    public bool IsMet => AtLeast ? Measured >= Limit : Measured <= Limit;

    /// <summary>How far from the limit: 1 at it, more beyond it.</summary>
    public double Badness => Limit == 0 ? Measured : AtLeast ? Limit / Measured : Measured / Limit;

    /// <summary>Whether other seeds might say otherwise.</summary>
    public bool IsClose => double.IsFinite(Measured) && Pairs?.AtMost(Limit) == Verdict.Undecided;
}

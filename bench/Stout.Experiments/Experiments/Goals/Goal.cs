namespace Stout.Experiments.Experiments.Goals;

/// <summary>One figure a law is held to.</summary>
/// <param name="Name">The measured quantity.</param>
/// <param name="Place">Where it was measured: store, lanes, load.</param>
/// <param name="Measured">Infinity: never.</param>
/// <param name="Limit">The limit of the measured value.</param>
/// <param name="AtLeast">Whether the limit is the least and not the most.</param>
internal sealed record Goal(string Name, string Place, double Measured, double Limit, bool AtLeast = false)
{
    public bool IsMet => AtLeast ? Measured >= Limit : Measured <= Limit;

    /// <summary>How far from the limit: 1 at it, more beyond it.</summary>
    public double Badness => AtLeast ? Limit / Measured : Measured / Limit;
}

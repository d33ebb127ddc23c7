namespace Stout.Experiments.Experiments.Goals;

/// <summary>A limit that a law has to keep, and the measured value.</summary>
/// <param name="Name">The measured quantity.</param>
/// <param name="Place">Where it was measured: store, lanes, load.</param>
/// <param name="Measured">The measured value; infinity for a time that was not reached.</param>
/// <param name="Limit">The limit of the measured value.</param>
/// <param name="AtLeast">Whether the limit is a lower bound; otherwise it is an upper one.</param>
internal sealed record Goal(string Name, string Place, double Measured, double Limit, bool AtLeast = false)
{
    public bool IsMet => AtLeast ? Measured >= Limit : Measured <= Limit;

    /// <summary>The ratio of the measured value to the limit: 1 at the limit, and more if the goal is missed.</summary>
    public double Badness => AtLeast ? Limit / Measured : Measured / Limit;
}

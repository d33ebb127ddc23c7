namespace Stout.Pacing;

/// <summary>Halves an interval step by step, each time once for what was under way together.</summary>
internal struct Halving()
{
    private double _steppedAt = double.NegativeInfinity;

    /// <summary>The natural logarithm of a step.</summary>
    public static double Step { get; } = -Math.Log(2);

    /// <summary>Whether the next step is due with an answer: what was sent before the last step says nothing of it.</summary>
    public bool IsDue(double now, double sentAt)
    {
        if (sentAt < _steppedAt)
            return false;
        _steppedAt = now;
        return true;
    }
}

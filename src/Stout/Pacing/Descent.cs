namespace Stout.Pacing;

/// <summary>
/// The first seconds: the law comes down from a long interval, halving it at each answer, until a queue shows; TCP's slow start upside
/// down. From below, a cold start under load would fill the store before anything were known of it, and an idle store be never seen. All
/// the waiting that it costs a lone client is two of the intervals it begins with.
/// </summary>
internal struct Descent()
{
    // Longer than that would take hundreds of clients to be right, whatever the store.
    private const double MostLatencies = 256;

    private Halving _halving = new();

    /// <summary>Whether the first answer has come.</summary>
    public bool HasBegun { get; private set; }

    public bool IsUnderWay { get; private set; } = true;

    /// <summary>
    /// One slow answer must not hold up the next batches, which would grow meanwhile: in a store with several workers, that one client fills, they would
    /// grow without end. The long interval guards the store.
    /// </summary>
    public readonly int LeastInFlight => IsUnderWay ? 4 : 1;

    /// <summary>The first answer bounds the interval to begin with.</summary>
    public double Bound(double interval, double latency)
    {
        if (HasBegun)
            return interval;
        HasBegun = true;
        return Math.Min(interval, Math.Max(MostLatencies * latency, 1));
    }

    /// <summary>The natural logarithm of the interval's next step.</summary>
    public double Step(double now, double sentAt, double delay, double target)
    {
        IsUnderWay = delay <= target;
        return IsUnderWay && _halving.IsDue(now, sentAt) ? Halving.Step : 0;
    }

    /// <summary>At the shortest interval there is nowhere to descend to.</summary>
    public void Reached(bool bottom) => IsUnderWay &= !bottom;
}

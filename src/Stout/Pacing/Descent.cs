namespace Stout.Pacing;

/// <summary>
/// The first seconds: the law comes down from a long interval by halves, until a queue shows; TCP's slow start upside down. From below, a
/// cold start under load would fill the store before anything were known of it, and an idle store be never seen. Each interval is kept until
/// two answers agree: others come down at the same time, and the queue that they all make shows late; and one late answer is no queue.
/// </summary>
internal struct Descent()
{
    // Longer than that would take hundreds of clients to be right, whatever the store.
    private const double MostLatencies = 64;
    private const int Agreeing = 2;

    private static readonly double _halving = -Math.Log(2);

    private double _steppedAt = double.NegativeInfinity;
    private int _withoutQueue;
    private int _withQueue;

    /// <summary>Whether the first answer has come.</summary>
    public bool HasBegun { get; private set; }

    public bool IsUnderWay { get; private set; } = true;

    /// <summary>The first answer bounds the interval to begin with.</summary>
    public double Bound(double interval, double latency)
    {
        if (HasBegun)
            return interval;
        HasBegun = true;
        return Math.Min(interval, Math.Max(MostLatencies * latency, 1));
    }

    /// <summary>The natural logarithm of the interval's next step. What was sent before the last step says nothing of it.</summary>
    public double Step(double now, double sentAt, double delay, double target)
    {
        if (sentAt < _steppedAt)
            return 0;
        if (delay > target)
        {
            IsUnderWay = ++_withQueue < Agreeing;
            return 0;
        }

        if (++_withoutQueue < Agreeing)
            return 0;
        (_steppedAt, _withoutQueue, _withQueue) = (now, 0, 0);
        return _halving;
    }

    /// <summary>At the shortest interval there is nowhere to descend to.</summary>
    public void Reached(bool bottom) => IsUnderWay &= !bottom;
}

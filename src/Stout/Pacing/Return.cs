namespace Stout.Pacing;

/// <summary>
/// A queue that was no fluctuation raises the interval in large steps. Often it was a pause of the store's, which is over now: then the interval
/// comes back as it came down in the beginning, by halves, until it is near the latency or the queue is there again.
/// </summary>
internal struct Return()
{
    // Closer to the latency, callers hardly wait for the interval any more, and ordinary steps do.
    private const double LeastLatencies = 4;

    private bool _isRaised;
    private bool _isUnderWay;
    private double _steppedAt = double.NegativeInfinity;

    /// <summary>The natural logarithm of a step.</summary>
    public static double Halving { get; } = -Math.Log(2);

    /// <summary>The interval was raised by a large step.</summary>
    public void Raised() => (_isRaised, _isUnderWay) = (true, false);

    /// <summary>Whether the interval is to be halved now.</summary>
    /// <param name="now">When the answer came, in milliseconds.</param>
    /// <param name="sentAt">When the request left.</param>
    /// <param name="excess">Below 0 while the queue is shorter than the one aimed at.</param>
    /// <param name="latencies">The interval over the latency.</param>
    public bool Halves(double now, double sentAt, double excess, double latencies)
    {
        if (!_isRaised)
            return false;
        if (excess >= 0)
        {
            _isRaised = !_isUnderWay;
            return false;
        }

        _isUnderWay = true;
        // What was sent before the last step says nothing of it.
        if (sentAt < _steppedAt || latencies <= LeastLatencies)
            return false;
        _steppedAt = now;
        return true;
    }
}

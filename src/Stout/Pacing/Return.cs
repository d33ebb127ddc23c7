namespace Stout.Pacing;

/// <summary>
/// A queue that was no fluctuation raises the interval in large steps. Often it was a pause of the store's, which is over now: then the interval
/// comes back as it came down in the beginning, by halves, until it is near the latency or the queue is there again. (The queue is an average,
/// and lags: where few answers come, it mostly ends the return after one step.)
/// </summary>
internal struct Return()
{
    // Closer to the latency, callers hardly wait for the interval any more, and ordinary steps do.
    private const double LeastLatencies = 4;

    private bool _isRaised;
    private bool _isUnderWay;
    private Halving _halving = new();

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
        // Until the queue has gone it is the one that raised the interval; one that is there after that ends the return.
        if (excess >= 0)
        {
            _isRaised = !_isUnderWay;
            return false;
        }

        _isUnderWay = true;
        return latencies > LeastLatencies && _halving.IsDue(now, sentAt);
    }
}

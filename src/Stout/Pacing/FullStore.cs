namespace Stout.Pacing;

/// <summary>
/// How many requests in flight are worth having before a store that is full. By Little's law as many are served at a time as come in the time that one takes
/// when nothing is in its way; what is in flight beyond them waits in the store, where it gathers nothing, and has as many more wait behind it. A queue longer
/// than the one aimed at is answered by the interval; but where requests vary by multiples, or what looks like idle is not, the interval alone never gets
/// that far. Where the store has room the number does no harm, and a bound on it would.
/// </summary>
internal struct FullStore()
{
    // What takes so much longer than on the idle store, in the mean over many, had others before it. (Requests that vary by themselves take less than that,
    // and one pause is not the mean of many.)
    private const double Full = 1.5;
    private const double Memory = 64;

    // One pause counts for a few requests, and not for more.
    private const double MostOverMean = 4;

    // How many are served at a time scatters by the root of that: half of it is allowed for.
    private const double Scatter = 0.5;

    private Ewma _overIdle = new(1 / Memory);
    private Ewma _gap = new(1.0 / 16);
    private double _answeredAt = double.NaN;

    /// <summary>Whether requests take so long that others must be in their way.</summary>
    public readonly bool IsFull => _overIdle.Value >= Full;

    /// <summary>A write is answered, whatever was in its way.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    public void Answered(double now)
    {
        if (!double.IsNaN(_answeredAt))
            _gap.AddBounded(Math.Max(0, now - _answeredAt), MostOverMean);
        _answeredAt = now;
    }

    /// <summary>Takes in what a request took that left in the ordinary way.</summary>
    /// <param name="latency">What it took, in milliseconds.</param>
    /// <param name="idle">What it would have taken on the idle store, in milliseconds; above 0.</param>
    public void Add(double latency, double idle) => _overIdle.AddBounded(latency / idle, MostOverMean);

    /// <summary>The most requests in flight that are of use; infinity where the store is not full.</summary>
    /// <param name="idle">What a request of the usual size takes on the idle store, in milliseconds.</param>
    public readonly double MostInFlight(double idle)
    {
        if (!IsFull || _gap.Value <= 0)
            return double.PositiveInfinity;
        var served = idle / _gap.Value;
        return Math.Ceiling(served + (Scatter * Math.Sqrt(served)));
    }

    /// <summary>The store is another one. How often it answers is as it was, until it is not.</summary>
    public void Forget() => _overIdle.Reset();
}

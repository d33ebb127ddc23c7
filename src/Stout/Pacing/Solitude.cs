namespace Stout.Pacing;

/// <summary>
/// Whether a lane has the store to itself, and how long an interval can then be of use. Where requests leave back to back and each still
/// takes no longer than on the idle store, nobody else's are in the way: what varies about longer intervals is no queue, and to wait longer
/// than for the last answer gains nothing. Real stores are slower when asked seldom (caches, sleeping processors), which looks like a
/// queue that a longer interval makes worse.
/// </summary>
internal sealed class Solitude
{
    // Long enough to come back from a pause of the store, and short: company may have come meanwhile.
    private const double Memory = 3_000;

    // Two lanes that send back to back meet twice the idle latency.
    private const double Alone = 1.5;

    // One pause of the store may double the mean, and not more.
    private const double MostOverMean = 2;

    private readonly RecentMinimum _backToBack = new(Memory);
    private Ewma _latency = new(1.0 / 8);

    public void Add(double now, double latency, double interval)
    {
        _latency.AddBounded(latency, MostOverMean);
        if (interval <= _latency.Value)
            _backToBack.Add(now, _latency.Value, size: 0, slope: 0);
        else
            _backToBack.Forget(now);
    }

    public void Forget()
    {
        _latency.Reset();
        _backToBack.Clear();
    }

    /// <summary>The longest interval of use, in milliseconds; infinity in company, or where nothing is known.</summary>
    /// <param name="idle">The idle latency, in milliseconds.</param>
    public double LongestInterval(double idle)
    {
        var latency = _backToBack.At(0, 0);
        return latency <= Alone * idle ? latency : double.PositiveInfinity;
    }
}

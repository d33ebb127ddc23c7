namespace Stout.Pacing;

/// <summary>
/// What one more key in a request costs, in milliseconds: the slope of latency over size, from how both stray together from their
/// own recent means. A queue made by others does not depend on the size of this lane's next request, so it adds noise and no bias.
/// Where a lane is alone and its size matters most, the slope shows best.
/// </summary>
internal sealed class SizeCost
{
    // Service times vary: the cheapest key of the last span is cheaper than an ordinary one, by this factor at most.
    private const double Spread = 1.2;

    // So that sizes that hardly vary (two, three, two keys) don't make a slope of noise.
    private const double LeastVariance = 0.5;

    private readonly RecentMinimum _perKey;
    private Ewma _size = new(1.0 / 16);
    private Ewma _latency = new(1.0 / 16);
    private Ewma _covariance = new(1.0 / 128);
    private Ewma _variance = new(1.0 / 128);

    public SizeCost(double memoryMilliseconds)
    {
        _perKey = new RecentMinimum(memoryMilliseconds);
        _covariance.Add(0);
        _variance.Add(0);
    }

    /// <summary>The recent mean size of a request, in keys.</summary>
    public double MeanSize => _size.Value;

    /// <summary>Milliseconds per key; at least 0.</summary>
    public double Slope { get; private set; }

    public void Add(double now, double latency, double size)
    {
        if (_size.Value == 0)
        {
            _size.Add(size);
            _latency.Add(latency);
        }

        // One request that waited for a pause of the store must not pass for the price of its size.
        var strayLatency = Math.Min(latency - _latency.Value, 4 * _latency.Value * Math.Max(1, size / _size.Value));
        var straySize = size - _size.Value;
        _size.Add(size);
        _latency.Add(latency);
        _covariance.Add(straySize * strayLatency);
        _variance.Add(straySize * straySize);

        _perKey.Add(now, latency / size, 0, 0);
        var most = Math.Min(_latency.Value / _size.Value, Spread * _perKey.At(0, 0));
        Slope = Math.Clamp(_covariance.Value / (_variance.Value + LeastVariance), 0, most);
    }
}

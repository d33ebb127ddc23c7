namespace Stout.Pacing;

/// <summary>
/// What one more key in a request costs, in milliseconds: the slope from the quickest request of late to the one that was cheapest per key.
/// Both met about the least queue there was, and a store's pauses touch neither. One much larger batch teaches the price at once.
/// </summary>
internal sealed class SizeCost(double memoryMilliseconds)
{
    // Service times vary, and the least of many lies below the mean.
    private const double MeanOverLowest = 1.3;

    private readonly RecentMinimum _quickest = new(memoryMilliseconds);
    private readonly RecentMinimum _cheapest = new(memoryMilliseconds);
    private Ewma _size = new(1.0 / 16);

    /// <summary>The recent mean size of a request, in keys.</summary>
    public double MeanSize => _size.Value;

    /// <summary>Milliseconds per key; at least 0.</summary>
    public double Slope { get; private set; }

    /// <summary>What the quickest request took, of whatever size, in milliseconds.</summary>
    public double Quickest { get; private set; }

    public void Add(double now, double latency, double size)
    {
        _size.Add(size);
        _quickest.Add(now, latency, size, 0);
        _cheapest.Add(now, latency / size, size, 0);

        var (quickest, few) = _quickest.Lowest;
        var (perKey, many) = _cheapest.Lowest;
        Quickest = quickest;
        Slope = many > few ? MeanOverLowest * Math.Max(0, (perKey * many) - quickest) / (many - few) : 0;
    }

    public void Forget()
    {
        _size.Reset();
        _quickest.Clear();
        _cheapest.Clear();
    }
}

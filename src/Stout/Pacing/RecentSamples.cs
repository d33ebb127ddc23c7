namespace Stout.Pacing;

/// <summary>
/// The last few samples, and what they say together. Their median passes over what one or two requests meet by themselves (a pause of the
/// machine, of the network, of the store); what all meet it shows when most of them have. What none of them has met any more is over.
/// </summary>
/// <param name="most">How many.</param>
internal sealed class RecentSamples(int most)
{
    private readonly double[] _recent = new double[most];
    private int _next;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Their median: of an even number, the lower of the middle two. 0 without any.</summary>
    public double LowerMedian { get; private set; }

    /// <summary>Their median: of an even number, the higher of the middle two. 0 without any.</summary>
    public double UpperMedian { get; private set; }

    /// <summary>The highest of them; infinity while there are fewer than are kept.</summary>
    public double Highest { get; private set; } = double.PositiveInfinity;

    public void Add(double sample)
    {
        _recent[_next] = sample;
        _next = (_next + 1) % _recent.Length;
        Count = Math.Min(Count + 1, _recent.Length);

        Span<double> sorted = stackalloc double[Count];
        _recent.AsSpan(0, Count).CopyTo(sorted);
        sorted.Sort();
        (LowerMedian, UpperMedian) = (sorted[(Count - 1) / 2], sorted[Count / 2]);
        Highest = Count == _recent.Length ? sorted[^1] : double.PositiveInfinity;
    }

    public void Forget() => (Count, _next, LowerMedian, UpperMedian, Highest) = (0, 0, 0, 0, double.PositiveInfinity);
}

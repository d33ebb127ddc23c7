namespace Stout.Pacing;

/// <summary>
/// The last five samples, and what they say together. Their median passes over what one or two requests meet by themselves (a pause of the
/// machine, of the network, of the store); what all meet it shows at the third. What none of the five has met any more is over.
/// </summary>
internal sealed class LastFive
{
    private const int Samples = 5;

    private readonly double[] _recent = new double[Samples];
    private int _count;
    private int _next;

    /// <summary>The highest of five samples; infinity while there are fewer.</summary>
    public double Highest { get; private set; } = double.PositiveInfinity;

    /// <summary>Their median: of an even number, while there are fewer than five, the lower of the middle two. Not before the first one.</summary>
    public double Median
    {
        get
        {
            Span<double> sorted = stackalloc double[Samples];
            sorted = sorted[.._count];
            _recent.AsSpan(0, _count).CopyTo(sorted);
            sorted.Sort();
            return sorted[(_count - 1) / 2];
        }
    }

    public void Add(double sample)
    {
        _recent[_next] = sample;
        _next = (_next + 1) % Samples;
        _count = Math.Min(_count + 1, Samples);
        Highest = _count == Samples ? _recent.Max() : double.PositiveInfinity;
    }

    public void Forget() => (_count, _next, Highest) = (0, 0, double.PositiveInfinity);
}

namespace Stout.Pacing;

/// <summary>
/// The median of the last five samples; of an even number, while there are fewer, the lower of the middle two. It passes over what one or two
/// requests meet by themselves (a pause of the machine, of the network, of the store); what all meet it shows at the third.
/// </summary>
internal sealed class RecentMedian
{
    private const int Samples = 5;

    private readonly double[] _recent = new double[Samples];
    private int _count;
    private int _next;

    /// <summary>Takes in one sample; returns the median with it.</summary>
    public double With(double sample)
    {
        _recent[_next] = sample;
        _next = (_next + 1) % Samples;
        _count = Math.Min(_count + 1, Samples);

        Span<double> sorted = stackalloc double[Samples];
        sorted = sorted[.._count];
        _recent.AsSpan(0, _count).CopyTo(sorted);
        sorted.Sort();
        return sorted[(_count - 1) / 2];
    }

    public void Forget() => (_count, _next) = (0, 0);
}

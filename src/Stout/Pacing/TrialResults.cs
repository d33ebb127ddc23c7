namespace Stout.Pacing;

/// <summary>What a trial of the critical interval has shown, in milliseconds.</summary>
/// <param name="Interval">What lay between two batches in the mean, or what a request took over the number under way where that is longer.</param>
/// <param name="Latency">What its requests took in the mean.</param>
/// <param name="Idle">What they would have taken on the idle store.</param>
/// <param name="Lowest">The least that such requests ever take.</param>
/// <param name="Paced">What the lane's requests took when nobody tried.</param>
internal readonly record struct TrialResult(double Interval, double Latency, double Idle, double Lowest, double Paced);

/// <summary>
/// The last few trials that say the same thing. In one that some lanes missed batches follow faster, in one that a pause of the store fell into more slowly:
/// the interval in the middle counts, and of two the shorter one. But never more than a little above the shortest: where a store pauses often, most trials find what
/// has piled up, and to clear that takes batches and intervals that are multiples of those it keeps up with. The price is that one which some lanes missed bounds the next two.
/// </summary>
internal sealed class TrialResults
{
    private const int Remembered = 3;

    // What trials of a steady store differ by hardly reaches that.
    private const double MostOverShortest = 1.3;

    private readonly TrialResult[] _results = new TrialResult[Remembered];
    private int _count;

    /// <summary>The interval that counts, and the means of the rest; an infinite interval before the first trial.</summary>
    public TrialResult Typical { get; private set; } = Nothing;

    private static TrialResult Nothing => new(double.PositiveInfinity, 0, 0, 0, 0);

    public void Add(in TrialResult result)
    {
        _results[_count++ % Remembered] = result;
        var results = _results.AsSpan(0, Math.Min(_count, Remembered));
        Span<double> intervals = stackalloc double[Remembered];
        intervals = intervals[..results.Length];
        var (latency, idle, lowest, paced) = (0.0, 0.0, 0.0, 0.0);
        for (var i = 0; i < results.Length; i++)
        {
            intervals[i] = results[i].Interval;
            latency += results[i].Latency / results.Length;
            idle += results[i].Idle / results.Length;
            lowest += results[i].Lowest / results.Length;
            paced += results[i].Paced / results.Length;
        }

        intervals.Sort();
        var interval = Math.Min(intervals[(intervals.Length - 1) / 2], MostOverShortest * intervals[0]);
        Typical = new TrialResult(interval, latency, idle, lowest, paced);
    }

    /// <summary>Trials of another kind follow: those before say nothing beside them, but count until there is one.</summary>
    public void BeginAnew() => _count = 0;

    public void Forget() => (_count, Typical) = (0, Nothing);
}

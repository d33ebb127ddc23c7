namespace Stout.Pacing;

/// <summary>
/// How much more than the quickest a request takes on an idle store: networks, processors and disks vary, in some stores by multiples. A law that
/// takes that for a queue waits for nothing, and <see cref="Search"/> needs seconds to find it out. On the way down the store is as good as
/// idle, so what answers take there is no queue. That is a head start, from a few answers: it fades while the search takes over.
/// </summary>
internal sealed class IdleVariation
{
    private const int MostSamples = 16;
    private const int LeastSamples = 2;

    // Others come down at the same time, and some of what answers meet there is theirs.
    private const double ShareCounted = 0.7;
    private const double Most = 4;

    private const double FadingTime = 12_000;
    private const double Faded = 0.02;

    private readonly (double Latency, double Size)[] _samples = new (double, double)[MostSamples];
    private int _count;
    private double _sampledAt;

    /// <summary>An idle store's usual latency over the quickest; at least 1.</summary>
    public double OverLowest { get; private set; } = 1;

    /// <summary>Takes in an answer of the way down.</summary>
    public void Add(double now, double latency, double size)
    {
        if (_count < MostSamples)
            _samples[_count++] = (latency, size);
        _sampledAt = now;
    }

    /// <summary>Compares the samples with what is known by now of the quickest requests.</summary>
    public void Update(double now, IdleLatency idle)
    {
        if (_count < LeastSamples)
            return;
        var left = Math.Exp((_sampledAt - now) / FadingTime);
        if (left < Faded)
        {
            Forget();
            return;
        }

        var sum = 0.0;
        foreach (var (latency, size) in _samples.AsSpan(0, _count))
            sum += Math.Max(0, Math.Log(latency / idle.Lowest(size)));
        OverLowest = Math.Min(Most, 1 + (left * ShareCounted * (Math.Exp(sum / _count) - 1)));
    }

    public void Forget() => (_count, OverLowest) = (0, 1);
}

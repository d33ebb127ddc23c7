using Stout.Argon.Engine;

namespace Stout.Argon.Scheduling;

/// <summary>One service at one disk: its queue, and the averages over its quanta.</summary>
internal sealed class ServiceQueue(ServiceState service)
{
    /// <summary>The weight of the newest quantum in the averages.</summary>
    private const double Newest = 0.2;

    private double _loss = 1;
    private bool _measured;

    public ServiceState Service { get; } = service;

    public LinkedList<DiskIo> Waiting { get; } = new();

    public int Outstanding { get; set; }

    /// <summary>Whether the service takes part in the round.</summary>
    public bool InRound { get; set; }

    /// <summary>The number of consecutive turns without a request.</summary>
    public int IdleTurns { get; set; }

    /// <summary>Unused disk time of earlier quanta; negative if the quanta exceeded their length.</summary>
    public TimeSpan Credit { get; set; }

    /// <summary>The measured time divided by the estimated time: an average over quanta, weighted to the newest (the paper, section 4.5).</summary>
    public double Ratio => _loss;

    /// <summary>The average over quanta of the largest number of requests in flight at once, not counting sequential ones.</summary>
    public double Concurrency { get; private set; } = 1;

    /// <summary>
    /// The mean device time of a request that needs positioning, the sequential requests after it included. <see cref="MeanBytes"/> is the mean number of
    /// bytes of the same requests.
    /// </summary>
    public TimeSpan MeanService { get; private set; }

    public double MeanBytes { get; private set; }

    /// <summary>The mean time from the end of the last request to the next arrival.</summary>
    public TimeSpan MeanGap { get; private set; }

    public TimeSpan? IdleSince { get; set; }

    /// <summary>The estimated loss of a quantum by its drain. <see cref="MeanService"/> is for a full queue, so it excludes the drain.</summary>
    public TimeSpan Drain { get; set; }

    /// <summary>
    /// The mean time of a drain. <see cref="DrainExcess"/> is the mean time by which drains exceed their expected time at the device's mean speed.
    /// </summary>
    public TimeSpan DrainTime { get; private set; }

    public TimeSpan DrainExcess { get; private set; }

    /// <summary>The shortest quantum with the required efficiency.</summary>
    public TimeSpan Need { get; set; }

    /// <summary>The end of the last queued request: a request that begins there needs no positioning.</summary>
    public (ObjectState? Object, long Block) End { get; set; }

    /// <summary>Records an arrival, which ends an idle time.</summary>
    public void Arrive(TimeSpan now)
    {
        if (IdleSince is not { } idle)
            return;
        MeanGap = TimeSpan.FromSeconds(Mix(MeanGap.TotalSeconds, (now - idle).TotalSeconds));
        IdleSince = null;
    }

    /// <summary>Adds a quantum to the averages.</summary>
    /// <param name="busy">The time in which the device worked.</param>
    /// <param name="estimated">The sum of the estimates of the quantum's requests.</param>
    /// <param name="positioned">The number of requests that had to position.</param>
    /// <param name="bytes">The bytes of all requests.</param>
    /// <param name="concurrency">The largest number of requests in flight at once, not counting sequential ones.</param>
    /// <param name="drained">Whether the quantum ended with a drain.</param>
    /// <param name="adapt">False keeps the first ratio forever, as a planted fault for tests.</param>
    public void Learn(TimeSpan busy, TimeSpan estimated, int positioned, long bytes, int concurrency, bool drained, bool adapt)
    {
        if (estimated <= TimeSpan.Zero || busy <= TimeSpan.Zero)
            return;
        var positions = Math.Max(1, positioned);
        var full = drained ? busy - (Drain < busy / 2 ? Drain : busy / 2) : busy;
        var (ratio, mean, size) = (busy / estimated, full / positions, (double)bytes / positions);
        if (_measured)
        {
            ratio = Mix(_loss, ratio);
            MeanService = TimeSpan.FromSeconds(Mix(MeanService.TotalSeconds, mean.TotalSeconds));
            MeanBytes = Mix(MeanBytes, size);
            Concurrency = Mix(Concurrency, concurrency);
        }
        else
        {
            (MeanService, MeanBytes, Concurrency) = (mean, size, concurrency);
        }

        _measured = true;
        if (adapt)
            _loss = ratio;
    }

    /// <summary>Adds a drain to the averages: its time, and its expected time at the device's mean speed.</summary>
    public void LearnDrain(TimeSpan took, TimeSpan expected)
    {
        DrainTime = TimeSpan.FromSeconds(Mix(DrainTime.TotalSeconds, took.TotalSeconds));
        DrainExcess = TimeSpan.FromSeconds(Mix(DrainExcess.TotalSeconds, Math.Max(0, (took - expected).TotalSeconds)));
    }

    private static double Mix(double old, double value) => old + (Newest * (value - old));
}

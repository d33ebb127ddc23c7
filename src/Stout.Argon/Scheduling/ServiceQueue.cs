using Stout.Argon.Engine;

namespace Stout.Argon.Scheduling;

/// <summary>One service at one disk: its queue, and the averages over its quanta.</summary>
internal sealed class ServiceQueue(ServiceState service)
{
    /// <summary>The weight of the newest quantum in the averages.</summary>
    private const double Newest = 0.2;

    private double _loss = 1;
    private bool _measured;
    private TimeSpan _aloneTook;
    private TimeSpan _aloneEstimated;

    public ServiceState Service { get; } = service;

    public LinkedList<DiskIo> Waiting { get; } = new();

    public int Outstanding { get; set; }

    /// <summary>The number of those requests for which the scheduler no longer waits.</summary>
    public int Stuck { get; set; }

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

    /// <summary>The mean device time of the service's syncs and other file operations; null before the first.</summary>
    public TimeSpan? MeanSync { get; private set; }

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

    /// <summary>
    /// The device time of the service's requests alone on the disk, divided by their estimated time: an average over exclusive turns without their drains.
    /// 1 before the first turn.
    /// </summary>
    public double AloneRatio { get; private set; } = 1;

    /// <summary>Whether the service has had an exclusive turn, so that it can share the disk with the others.</summary>
    public bool Measured { get; set; }

    /// <summary>The start tag of the next request in virtual time (start-time fair queueing). <see cref="Finish"/> is the finish tag of the last one.</summary>
    public TimeSpan Tag { get; set; }

    public TimeSpan Finish { get; set; }

    /// <summary>Whether the queue waits for its turn in the order of tags, or for the end of a pause.</summary>
    public bool Offered { get; set; }

    /// <summary>The most requests of the service at the device at once. Below 1, the service pauses after each request until <see cref="Resume"/>.</summary>
    public double Depth { get; set; } = double.MaxValue;

    public TimeSpan Resume { get; set; }

    /// <summary>The progress divided by the promise when they were last compared; null if there were too few requests.</summary>
    public double? Kept { get; set; }

    /// <summary>Whether <see cref="Kept"/> was clearly above 1.</summary>
    public bool Ahead { get; set; }

    /// <summary>The bytes of the service's requests at the device.</summary>
    public long OutstandingBytes { get; set; }

    /// <summary>The largest number of its requests at the device since the last comparison.</summary>
    public int MostOutstanding { get; set; }

    /// <summary>
    /// The cost in seconds of completed requests: the time that they take alone on the disk. <see cref="Backlog"/> is the time in which the service had
    /// requests. Both fade.
    /// </summary>
    public double Progress { get; set; }

    public TimeSpan Backlog { get; private set; }

    /// <summary>Whether a request has ended since the last fading.</summary>
    public bool Progressed { get; set; }

    /// <summary>The time since which the service has had requests; null without requests.</summary>
    public TimeSpan? BacklogSince { get; set; }

    /// <summary>Records the device time of a sync or of another file operation.</summary>
    public void NoteSync(TimeSpan took) => MeanSync = MeanSync is { } mean ? mean + ((took - mean) * 0.1) : took;

    /// <summary>Adds the time in which the service has had requests until now.</summary>
    public void NoteBacklog(TimeSpan shared)
    {
        if (BacklogSince is not { } since)
            return;
        Backlog += shared - since;
        BacklogSince = shared;
    }

    /// <summary>Halves the weight of the past in the progress.</summary>
    public void Fade() => (Progress, Backlog, Progressed) = (Progress / 2, Backlog / 2, false);

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
        if (_aloneEstimated == TimeSpan.Zero)
            AloneRatio = full / estimated;
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

    /// <summary>Adds the part of a turn in which the number of requests at the device was steady.</summary>
    /// <param name="took">The device's working time.</param>
    /// <param name="estimated">The sum of the estimates of the requests that ended.</param>
    public void LearnAlone(TimeSpan took, TimeSpan estimated)
    {
        if (took <= TimeSpan.Zero || estimated <= TimeSpan.Zero)
            return;
        _aloneTook = ((1 - Newest) * _aloneTook) + took;
        _aloneEstimated = ((1 - Newest) * _aloneEstimated) + estimated;
        AloneRatio = _aloneTook / _aloneEstimated;
    }

    /// <summary>Adds a drain to the averages: its time, and its expected time at the device's mean speed.</summary>
    public void LearnDrain(TimeSpan took, TimeSpan expected)
    {
        DrainTime = TimeSpan.FromSeconds(Mix(DrainTime.TotalSeconds, took.TotalSeconds));
        DrainExcess = TimeSpan.FromSeconds(Mix(DrainExcess.TotalSeconds, Math.Max(0, (took - expected).TotalSeconds)));
    }

    private static double Mix(double old, double value) => old + (Newest * (value - old));
}

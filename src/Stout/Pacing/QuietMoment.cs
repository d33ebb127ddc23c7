namespace Stout.Pacing;

/// <summary>
/// A moment in which all lanes let the store run empty, by the clock that all processes share, and each sends one key at a time: what that takes is what an
/// idle store takes, or near it. A lane that began among others which fill the store has never seen it idle; it takes their queue for the store's own
/// time, sends small requests and many at once, and pays the fixed part of each from what the others need. No lane could see better by itself as long as the
/// others each have a request in the queue before it. A lane that takes the store for another one has such a moment by itself: what it met last was a queue.
/// </summary>
internal struct QuietMoment()
{
    // What the others have under way was sent a latency ago at most, and then there is as much time left again for half of it to be seen.
    private const double Latencies = 1.5;

    // What the store does not do meanwhile it has to catch up with.
    private const double Longest = 256;

    // It is for those who have joined since the last one; at first that is all of them, and again when they have come down.
    private const double Period = 65_536;
    private const double FirstTime = 6_000;
    private const double FirstPeriod = 4_096;

    // Trials begin at multiples of the same powers of two, and none is longer: in it the store would not run empty.
    private const double AfterTrials = 1_024;

    private const double MostOverMean = 4;

    private Ewma _latency = new(1.0 / 16);
    private double _begunAt = double.NaN;
    private double _from = double.NegativeInfinity;
    private double _until = double.NegativeInfinity;
    private double _least = double.PositiveInfinity;
    private double _leastBefore = double.PositiveInfinity;

    /// <summary>
    /// What a request of one key takes, in milliseconds, with none of the lane's own in its way: the least of the last two moments in which one was answered; 0 before there is
    /// any. Where a log waits for company that is all of its patience, of which the quickest request among many shows nothing. Where other lanes send one key each as well
    /// it is their requests too, but no more than one of each.
    /// </summary>
    public readonly double OneKey => Math.Min(_least, _leastBefore) is var least and < double.PositiveInfinity ? least : 0;

    /// <summary>Whether a time is within the last such moment.</summary>
    /// <param name="time">The time, in milliseconds.</param>
    public readonly bool IsAt(double time) => _from <= time && time < _until;

    /// <summary>Begins the next moment where it is time for it.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    public void Advance(double now)
    {
        if (double.IsNaN(_begunAt))
            _begunAt = now;
        var period = now < _begunAt + FirstTime ? FirstPeriod : Period;
        var moment = (Math.Floor((now - AfterTrials) / period) * period) + AfterTrials;
        // Who would come late would see what the others send when it is over.
        if (moment <= Math.Max(_begunAt, _from) || now - moment >= Length / 2 || now < _until)
            return;
        Begin(now, moment + Length);
    }

    /// <summary>Begins a moment of the lane's own.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    public void Begin(double now) => Begin(now, now + Length);

    /// <summary>Takes in what a request took that left in the ordinary way.</summary>
    /// <param name="latency">What it took, in milliseconds.</param>
    public void Add(double latency) => _latency.AddBounded(latency, MostOverMean);

    /// <summary>The store is another one. Its latency is all that is known of it.</summary>
    public void Forget() => (_least, _leastBefore) = (double.PositiveInfinity, double.PositiveInfinity);

    /// <summary>Takes in what a request of one key took with none of the lane's own in its way.</summary>
    /// <param name="latency">What it took, in milliseconds.</param>
    public void AddOneKey(double latency) => _least = Math.Min(_least, latency);

    private readonly double Length => Math.Min(Longest, Latencies * _latency.Value);

    private void Begin(double now, double until)
    {
        if (!double.IsPositiveInfinity(_least))
            (_leastBefore, _least) = (_least, double.PositiveInfinity);
        (_from, _until) = (now, until);
    }
}

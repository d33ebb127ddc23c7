namespace Stout.Pacing;

/// <summary>
/// A moment in which all lanes let the store run empty, by the clock that all processes share, and each sends a key now and then: what that takes is what an
/// idle store takes, or near it. A lane that began among others which fill the store has never seen it idle; it takes their queue for the store's own
/// time, sends small requests and many at once, and pays the fixed part of each from what the others need. No lane could see better by itself as long as the
/// others each have a request in the queue before it. A lane that takes the store for another one has such a moment by itself: what it met last was a queue.
/// </summary>
internal struct QuietMoment()
{
    /// <summary>How long one lasts at most, and no batch leaves before it, in milliseconds: what the store does not do meanwhile it has to catch up with.</summary>
    public const double Longest = 256;

    // Who has something in flight still, in spite of the hold, is answered by then, and each sends a few requests after that.
    private const double Latencies = 1.5;

    // It is for those who have joined since the last one; at first that is all of them, and again when they have come down.
    private const double Period = 65_536;
    private const double FirstTime = 6_000;
    private const double FirstPeriod = 2_048;

    // Trials begin at multiples of the same powers of two, and last 1,024 ms at most: then there is time for what they have in flight, and what is due next.
    private const double AfterTrials = 1_536;

    // All begin at once, and are answered one after the other. Who waited longer waits longer for its next one too: so they come apart, and find the store idle.
    private const double Rest = 4;
    private const double RestShare = 0.25;

    // What a key costs shows where there are a few, and nothing else in the way. (What many lanes' large requests show is their queue.)
    private const int FewKeys = 8;
    private const int RequestsForFew = 3;

    private const double MostOverMean = 4;

    private Ewma _latency = new(1.0 / 16);
    private double _begunAt = double.NaN;
    private double _from = double.NegativeInfinity;
    private double _until = double.NegativeInfinity;
    private double _least = double.PositiveInfinity;
    private double _leastBefore = double.PositiveInfinity;
    private int _answers;

    /// <summary>When the next one begins by the clock, in milliseconds; infinity before <see cref="Advance"/>.</summary>
    public double Next { get; private set; } = double.PositiveInfinity;

    /// <summary>
    /// How long before the next one no batch is to leave any more, in milliseconds: as long as requests take, so that the store has run empty when it begins.
    /// </summary>
    public readonly double Hold => Math.Min(Longest, _latency.Value);

    /// <summary>How many keys the next request of the moment is to carry.</summary>
    public readonly int Keys => _answers % RequestsForFew == RequestsForFew - 1 ? FewKeys : 1;

    /// <summary>When the next request of the moment may leave, or the first batch after it, in milliseconds.</summary>
    public double RestsUntil { get; private set; }

    /// <summary>
    /// What a request of one key takes, in milliseconds, with none of the lane's own in its way: the least of the last two moments in which one was answered; 0 before there is
    /// any. Where a log waits for company that is all of its patience, of which the quickest request among many shows nothing.
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
        {
            _begunAt = now;
            Next = NextAfter(now);
        }

        if (now < Next)
            return;
        // Of those that have passed while nothing happened the last one counts. Who would come late would see what the others send when it is over.
        var moment = Math.Max(Next, After(now, Period) - Period);
        if (now - moment < Length / 2 && now >= _until)
            Begin(now, moment + Length);
        Next = NextAfter(now);
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

    /// <summary>A request that left in the moment is answered.</summary>
    /// <param name="now">The time, in milliseconds.</param>
    /// <param name="latency">What it took, in milliseconds.</param>
    public void Answered(double now, double latency)
    {
        _answers++;
        RestsUntil = Math.Min(_until, now + Math.Min(Rest * latency, RestShare * (_until - now)));
    }

    private readonly double Length => Math.Min(Longest, Latencies * _latency.Value);

    private readonly double NextAfter(double now)
    {
        var early = After(now, FirstPeriod);
        return early < _begunAt + FirstTime ? early : After(now, Period);
    }

    private static double After(double now, double period) => ((Math.Floor((now - AfterTrials) / period) + 1) * period) + AfterTrials;

    private void Begin(double now, double until)
    {
        if (!double.IsPositiveInfinity(_least))
            (_leastBefore, _least) = (_least, double.PositiveInfinity);
        (_from, _until, RestsUntil, _answers) = (now, until, now, 0);
    }
}

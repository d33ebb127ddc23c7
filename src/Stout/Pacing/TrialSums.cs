namespace Stout.Pacing;

/// <summary>Sums over the answers of a trial's second half.</summary>
internal struct TrialSums
{
    /// <summary>Where others fill the store a request takes that many times as long as on the idle one.</summary>
    public const double OverIdle = 2;

    // In batches of mostly keys it takes many rounds until they are as large as what comes in, more than a trial has. With twice as many under way they begin
    // half as large, and look quicker than they would come to be. But where requests take twice as long as on the idle store, it is full without that.
    private const double MostlyKeys = 0.8;

    // Or where they are so full and take twice the least, whatever the lane takes for idle by then.
    private const double Full = 0.3;

    private double _latencies;
    private double _passed;
    private double _idle;
    private double _lowest;
    private double _keyTimes;
    private double _fullness;

    public int Answers { get; private set; }

    public readonly double MeanLatency => _latencies / Answers;

    /// <summary>Whether they show a store that has no room for more of them, and one that would seem to have.</summary>
    public readonly bool AreFullOfKeys => (_keyTimes > MostlyKeys * _idle && _latencies > OverIdle * _idle)
        || (_fullness > Full * Answers && _latencies > OverIdle * _lowest);

    public void Add(in TrialAnswer answer)
    {
        Answers++;
        _latencies += answer.Latency;
        _passed += answer.Passed;
        _idle += answer.Idle;
        _lowest += answer.Lowest;
        _keyTimes += answer.KeyTime;
        _fullness += answer.Fullness;
    }

    /// <summary>What they show. Whether the lane waited for answers or for work, the longer of the two is what it keeps up with.</summary>
    /// <param name="inFlight">How many requests the lane had under way.</param>
    /// <param name="paced">What its requests take when nobody tries, in milliseconds.</param>
    public readonly TrialResult Result(int inFlight, double paced)
        => new(Math.Max(_passed / Answers, MeanLatency / inFlight), MeanLatency, _idle / Answers, _lowest / Answers, paced);
}

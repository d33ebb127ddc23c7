namespace Stout.Pacing;

/// <summary>Sums over the answers of a trial's second half.</summary>
internal struct TrialSums
{
    private double _latencies;
    private double _passed;
    private double _idle;
    private double _lowest;

    public int Answers { get; private set; }

    public readonly double MeanLatency => _latencies / Answers;

    public void Add(in WriteAnswer answer)
    {
        Answers++;
        _latencies += answer.Latency;
        _passed += answer.Passed;
        _idle += answer.Idle;
        _lowest += answer.Lowest;
    }

    /// <summary>What they show. Whether the lane waited for answers or for work, the longer of the two is what it keeps up with.</summary>
    /// <param name="inFlight">How many requests the lane had under way.</param>
    public readonly TrialResult Result(int inFlight)
        => new(Math.Max(_passed / Answers, MeanLatency / inFlight), MeanLatency, _idle / Answers, _lowest / Answers);
}

namespace Stout.Argon.Scheduling;

/// <summary>The counts of the present quantum.</summary>
internal struct QuantumRecord
{
    public TimeSpan Start;
    public TimeSpan Budget;

    /// <summary>The time in which the device worked.</summary>
    public TimeSpan Busy;

    /// <summary>The sum of the estimates of the requests that ended.</summary>
    public TimeSpan Estimated;

    /// <summary>The start of the drain: the time since which no further request has fitted; null before.</summary>
    public TimeSpan? DrainStart;

    /// <summary>The expected time of the drain at the device's mean speed.</summary>
    public TimeSpan DrainExpected;

    public int Issued;
    public int Positioned;
    public long Bytes;

    /// <summary>The largest number of requests in flight at once, not counting sequential ones, which need no positioning of the device.</summary>
    public int Concurrency;
}

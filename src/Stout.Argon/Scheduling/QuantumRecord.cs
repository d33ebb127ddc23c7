namespace Stout.Argon.Scheduling;

/// <summary>The counts of the present quantum.</summary>
internal struct QuantumRecord
{
    public TimeSpan Start;
    public TimeSpan Budget;

    /// <summary>Whether another service had the turn before.</summary>
    public bool Switched;

    /// <summary>The number of requests that ended.</summary>
    public int Ended;

    /// <summary>The number of requests that were issued before the first one ended.</summary>
    public int FirstBatch;

    /// <summary>
    /// The device's working time at the end of the first batch, and at the last end before the drain. The third field sums the estimates of the requests that
    /// ended in between. The number of requests at the device is the same at both ends, so their ratio has no share of the ramp or the drain.
    /// </summary>
    public TimeSpan SteadyFrom;

    public TimeSpan SteadyTo;

    public TimeSpan SteadyEstimated;

    /// <summary>The time in which the device worked.</summary>
    public TimeSpan Busy;

    /// <summary>The sum of the estimates of the requests that ended.</summary>
    public TimeSpan Estimated;

    /// <summary>The start of the drain: the time since which no further request has fitted; null before.</summary>
    public TimeSpan? DrainStart;

    /// <summary>The expected time of the drain at the device's mean speed.</summary>
    public TimeSpan DrainExpected;

    /// <summary>Whether no request ended for a long time. Such a quantum says nothing about the service times.</summary>
    public bool Stuck;

    public int Issued;
    public int Positioned;
    public long Bytes;

    /// <summary>The largest number of requests in flight at once, not counting sequential ones, which need no positioning of the device.</summary>
    public int Concurrency;
}

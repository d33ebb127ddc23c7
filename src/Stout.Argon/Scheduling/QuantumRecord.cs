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

    /// <summary>The start of the drain, when the last fitting request was issued; null before.</summary>
    public TimeSpan? DrainStart;

    /// <summary>The expected time of the drain at the device's mean speed.</summary>
    public TimeSpan DrainExpected;

    public int Issued;
    public int Positioned;
    public long Bytes;

    /// <summary>The most requests that were outstanding at once and had to position.</summary>
    public int Concurrency;
}

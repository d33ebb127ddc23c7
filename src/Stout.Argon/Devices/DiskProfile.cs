namespace Stout.Argon.Devices;

/// <summary>The result of a calibration. A fraction compares a reader beside another reader with the same reader alone.</summary>
/// <param name="Cost">The cost of a request to the disk without others.</param>
/// <param name="SpanBytes">The bytes of written data over which the random reads were spread.</param>
/// <param name="Concurrency">The throughput of four random readers, divided by that of one.</param>
/// <param name="MoreConcurrency">The throughput of sixteen random readers, divided by that of one.</param>
/// <param name="RandomBesideStream">The fraction that a random reader keeps beside a sequential one.</param>
/// <param name="StreamBesideRandom">The fraction that the sequential reader keeps.</param>
/// <param name="ReadsBesideWrites">The fraction that a random reader keeps beside a random writer.</param>
/// <param name="WritesBesideReads">The fraction that the writer keeps.</param>
internal sealed record DiskProfile(
    DeviceCost Cost, long SpanBytes, double Concurrency, double MoreConcurrency, double RandomBesideStream, double StreamBesideRandom, double ReadsBesideWrites, double WritesBesideReads)
{
    /// <summary>The reads of a stream: large enough for the whole transfer rate.</summary>
    private const int LargeRead = 1 << 20;

    /// <summary>The reads of a stream beside others: the largest requests where services share a disk at once.</summary>
    private const int SharedRead = 128 << 10;

    /// <summary>
    /// The least concurrency at which services share the disk at once. Below it, exclusive turns lose less than half of the throughput that requests at once
    /// would have.
    /// </summary>
    private const double LeastConcurrency = 2;

    /// <summary>The least fraction that each of two different readers has to keep: R = 0.9 of a half.</summary>
    private const double LeastKept = 0.45;

    /// <summary>
    /// The least sum of the fractions that a reader and a writer keep. Exclusive turns give both together R = 0.9. The reader alone may have less. Where
    /// services share the disk at once, the writer gets fewer requests at the device until the reader has its share.
    /// </summary>
    private const double LeastKeptByWrites = 0.9;

    /// <summary>
    /// Whether services share the disk at once: exclusive turns would cost more than interference. Otherwise they have exclusive quanta.
    /// </summary>
    public bool AtOnce => Math.Max(Concurrency, MoreConcurrency) >= LeastConcurrency && RandomBesideStream >= LeastKept && StreamBesideRandom >= LeastKept
        && ReadsBesideWrites + WritesBesideReads >= LeastKeptByWrites;

    public static DiskProfile Of(IDiskProbe probe)
    {
        var rate = probe.Run(0, LargeRead).Bytes;
        var one = probe.Run(1, 0).Reads;
        var four = probe.Run(4, 0).Reads;
        var sixteen = probe.Run(16, 0).Reads;
        var stream = probe.Run(0, SharedRead).Bytes;
        var (reads, bytes, _) = probe.Run(1, SharedRead);
        var writes = probe.Run(0, 0, writes: true).Writes;
        var (besideWrites, _, besideReads) = probe.Run(1, 0, writes: true);
        var cost = new DeviceCost(TimeSpan.FromSeconds((1 / one) - (ArgonOptions.BlockSize / rate)), rate);
        return new DiskProfile(cost, probe.Span, four / one, sixteen / one, reads / one, bytes / stream, besideWrites / one, besideReads / writes);
    }
}

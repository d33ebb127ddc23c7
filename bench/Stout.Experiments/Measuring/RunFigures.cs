using Stout.Experiments.Workloads;

namespace Stout.Experiments.Measuring;

/// <summary>The measurements of one run. Latencies count from a request's intended start to its reply.</summary>
/// <param name="scenario">The run's scenario.</param>
/// <param name="leastMissing">Share of the requests that must be missing from the replies before a growing queue means that the load is too much. It is for
/// real stores, since every queue swings on a machine with other load. Null: a growing queue alone means that.</param>
internal sealed class RunFigures(Scenario scenario, double? leastMissing = null)
{
    private static readonly TimeSpan Resolution = TimeSpan.FromMilliseconds(250);

    public Scenario Scenario { get; } = scenario;

    public LatencyHistogram Writes { get; } = new();

    public LatencyHistogram Reads { get; } = new();

    /// <summary>Write latencies from the beginning of the run. They include the warm-up, as do the series by tier and by partition.</summary>
    public LatencySeries WritesOverTime { get; } = new(Resolution);

    public IReadOnlyList<LatencySeries> WritesByTier { get; } = [.. Enumerable.Range(0, scenario.Tiers).Select(_ => new LatencySeries(Resolution))];

    public IReadOnlyList<LatencySeries> WritesByPartition { get; } =
        [.. Enumerable.Range(0, scenario.Store.Partitions).Select(_ => new LatencySeries(Resolution))];

    /// <summary>Waiting requests at every quarter of a second.</summary>
    public List<double> Waiting { get; } = [];

    /// <summary>Mean batching interval of all lanes in milliseconds, at every quarter of a second.</summary>
    public List<double> Intervals { get; } = [];

    /// <summary>The requests to the store while measuring.</summary>
    public StoreTraffic Traffic { get; set; }

    public long StoreRequests => Traffic.Requests;

    public long KeysSent => Traffic.Keys;

    public long BytesSent => Traffic.Bytes;

    public long KeysRefused => Traffic.Refused;

    public TimeSpan LongestStoreLatency => Traffic.Longest;

    /// <summary>
    /// Little's law: mean number of waiting requests, counted as they come and go, over rate × mean latency. It is 1, except for the effect of requests
    /// that wait at the ends of the measured span.
    /// </summary>
    public double LittleRatio { get; set; }

    /// <summary>Requests/s offered while measuring.</summary>
    public double Offered => Scenario.Load.Mean(Scenario.Warmup, Scenario.Duration);

    /// <summary>Requests/s answered while measuring.</summary>
    public double Achieved => (Writes.Count + Reads.Count) / (Scenario.Duration - Scenario.Warmup).TotalSeconds;

    /// <summary>Whether waiting requests grew over the run: the load exceeds what this law gets out of this store.</summary>
    public bool Overloaded => GrowingQueue.Grows(Waiting, Scenario.Duration, Offered) && (leastMissing is not { } least || Achieved <= (1 - least) * Offered);

    /// <summary>Whether waiting requests grow from a moment on to the end.</summary>
    public bool GrowsAfter(TimeSpan change)
    {
        // Waiting requests are sampled evenly over the run.
        var sampled = Waiting.Skip((int)(Waiting.Count * (change / Scenario.Duration))).ToList();
        return GrowingQueue.Grows(sampled, Scenario.Duration - change, Scenario.Load.Mean(change, Scenario.Duration));
    }

    public double MeanMilliseconds => Writes.MeanMilliseconds;

    public double P99Milliseconds => Writes.PercentileMilliseconds(99);

    /// <summary>Share of the writes that cost the store nothing, since a later one of the same document took their place.</summary>
    public double CollapsedShare => Writes.Count == 0 ? 0 : Math.Max(0, 1 - ((double)(KeysSent - KeysRefused) / Writes.Count));

    /// <summary>Documents per store request.</summary>
    public double BatchSize => (double)KeysSent / StoreRequests;

    /// <summary>Mean write latency of each middle tier over a span, in milliseconds.</summary>
    public double[] TierMeans(TimeSpan from, TimeSpan to) => [.. WritesByTier.Select(tier => tier.Mean(from, to))];
}

namespace Stout.Experiments.Measuring;

/// <summary>Records the latencies of a run's clients and the requests to its store. One thread at a time may call it.</summary>
/// <param name="figures">Receives the measurements.</param>
internal sealed class RunRecorder(RunFigures figures)
{
    private readonly TimedCount _waiting = new();
    private bool _measures;
    private double _latencyTicks;
    private long _replies;

    /// <summary>The time between two samples of the run, and the resolution of its series.</summary>
    public static TimeSpan SampleStep { get; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Requests that wait for their replies.</summary>
    public long Waiting => _waiting.Value;

    /// <summary>Write requests to the store while measuring.</summary>
    public long Requests => figures.StoreRequests;

    /// <summary>Records that a client sends a request.</summary>
    public void Asked(TimeSpan now) => _waiting.Change(1, now);

    /// <summary>Records that a reply leaves.</summary>
    public void Answered(in ClientRequest request, TimeSpan now)
    {
        _waiting.Change(-1, now);
        var latency = now - request.StartedAt;
        if (request.IsWrite)
        {
            figures.WritesOverTime.Add(now, latency);
            figures.WritesByTier[request.Tier].Add(now, latency);
            figures.WritesByPartition[request.Partition].Add(now, latency);
        }

        if (!_measures)
            return;
        _latencyTicks += latency.Ticks;
        _replies++;
        (request.IsWrite ? figures.Writes : figures.Reads).Record(latency);
    }

    public void Sent(in StoreTraffic traffic)
    {
        if (_measures)
            figures.Traffic += traffic;
    }

    public void Sample(double meanInterval)
    {
        figures.Waiting.Add(_waiting.Value);
        figures.Intervals.Add(meanInterval);
    }

    /// <summary>Ends the warm-up: from now on, latencies and requests to the store count.</summary>
    public void BeginMeasuring(TimeSpan now)
    {
        _measures = true;
        _waiting.Restart(now);
    }

    public RunFigures End(TimeSpan now)
    {
        var perTick = _replies / (double)(now - figures.Scenario.Warmup).Ticks;
        figures.LittleRatio = _replies == 0 ? double.NaN : _waiting.Mean(now) / (perTick * (_latencyTicks / _replies));
        return figures;
    }
}

/// <summary>A client's request.</summary>
/// <param name="StartedAt">The intended start of the request, not the actual time of sending. Latency counts from here.</param>
/// <param name="IsWrite">Whether the request writes; otherwise it reads.</param>
/// <param name="Tier">The middle tier that serves the request.</param>
/// <param name="Partition">The store partition of the request's document.</param>
internal readonly record struct ClientRequest(TimeSpan StartedAt, bool IsWrite, int Tier, int Partition);

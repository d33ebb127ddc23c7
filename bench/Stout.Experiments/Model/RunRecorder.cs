using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;
using Stout.Lanes;

namespace Stout.Experiments.Model;

/// <summary>Writes down what clients and store of a run feel.</summary>
internal sealed class RunRecorder
{
    private readonly Stack<ModelMessage> _spare = new();
    private readonly RunFigures _figures;
    private readonly TimedCount _waiting = new();
    private bool _measures;
    private double _latencyTicks;
    private long _replies;

    public RunRecorder(Scenario scenario) => _figures = new RunFigures(scenario);

    /// <summary>How often the run is looked at, and the resolution of its series.</summary>
    public static TimeSpan SampleStep { get; } = TimeSpan.FromMilliseconds(250);

    /// <summary>Requests that wait for their replies.</summary>
    public long Waiting => _waiting.Value;

    /// <summary>A client sends a request.</summary>
    /// <returns>Its reply, to be released.</returns>
    public ModelMessage Arrived(int tier, bool isWrite, TimeSpan now)
    {
        _waiting.Change(1, now);
        if (!_spare.TryPop(out var message))
            message = new ModelMessage();
        message.ArrivedAt = now;
        message.IsWrite = isWrite;
        message.Tier = tier;
        return message;
    }

    /// <summary>Replies leave.</summary>
    public void Released(ModelMessage chain, TimeSpan now)
    {
        for (ModelMessage? message = chain, next; message is not null; message = next)
        {
            next = (ModelMessage?)message.Next;
            message.Next = null;
            _waiting.Change(-1, now);
            Note(message, now - message.ArrivedAt, now);
            message.Client?.Replied(now);
            message.Client = null;
            _spare.Push(message);
        }
    }

    public void Sent(WriteRequest request, in StoreAnswer answer, TimeSpan latency)
    {
        if (!_measures)
            return;
        if (latency > _figures.LongestStoreLatency)
            _figures.LongestStoreLatency = latency;
        _figures.StoreRequests++;
        _figures.KeysSent += request.Count;
        _figures.BytesSent += request.Batch.Bytes;
        if (answer.RetryAfter is not null)
            _figures.KeysRefused += request.Count;
    }

    public void Sample(double meanInterval)
    {
        _figures.Waiting.Add(_waiting.Value);
        _figures.Intervals.Add(meanInterval);
    }

    /// <summary>The warm-up is over.</summary>
    public void BeginMeasuring(TimeSpan now)
    {
        _measures = true;
        _waiting.Restart(now);
    }

    public RunFigures End(TimeSpan now)
    {
        var perTick = _replies / (double)(now - _figures.Scenario.Warmup).Ticks;
        _figures.LittleRatio = _replies == 0 ? double.NaN : _waiting.Mean(now) / (perTick * (_latencyTicks / _replies));
        return _figures;
    }

    private void Note(ModelMessage message, TimeSpan latency, TimeSpan now)
    {
        if (message.IsWrite)
        {
            _figures.WritesOverTime.Add(now, latency);
            _figures.WritesByTier[message.Tier].Add(now, latency);
            _figures.WritesByPartition[message.Partition].Add(now, latency);
        }

        if (!_measures)
            return;
        _latencyTicks += latency.Ticks;
        _replies++;
        (message.IsWrite ? _figures.Writes : _figures.Reads).Record(latency);
    }
}

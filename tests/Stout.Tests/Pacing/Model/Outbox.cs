namespace Stout.Tests.Pacing.Model;

/// <summary>Writes of one middle tier that wait for a batch to one store partition. Writes of one key collapse into one.</summary>
internal sealed class Outbox(int partition, int keys)
{
    private readonly int[] _dirtyFor = new int[keys];
    private int _batch = 1;
    private PendingBatch _pending;

    public int Partition => partition;

    public int Keys => _pending.Keys;

    public bool IsEmpty => _pending.Writes == 0;

    public void Add(int key, TimeSpan now)
    {
        var collapses = _dirtyFor[key] == _batch;
        _dirtyFor[key] = _batch;
        _pending = new PendingBatch(_pending.Keys + (collapses ? 0 : 1), _pending.Writes + 1, _pending.ArrivalTicks + now.Ticks);
    }

    public PendingBatch Take()
    {
        var taken = _pending;
        _pending = default;
        _batch++;
        return taken;
    }
}

/// <summary>A batch: its keys, the writes that wait for it, and the sum of the times at which they came.</summary>
internal readonly record struct PendingBatch(int Keys, int Writes, double ArrivalTicks)
{
    /// <summary>The sum of its writes' latencies if all are answered now, in milliseconds.</summary>
    public double LatencyMilliseconds(TimeSpan now) => (((double)Writes * now.Ticks) - ArrivalTicks) / TimeSpan.TicksPerMillisecond;
}

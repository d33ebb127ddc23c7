using System.Diagnostics;
using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>Writes the same keys again and again, in batches of a given number of keys.</summary>
internal sealed class BatchesOfOneSize(IStorePartition partition, int valueBytes)
{
    private readonly List<Stamp> _stamps = [];
    private readonly Guid _writer = Guid.NewGuid();
    private long _sequence;

    /// <returns>The median time of a batch, in milliseconds.</returns>
    public async Task<double> MeasureAsync(int size, TimeSpan time)
    {
        while (_stamps.Count < size)
            _stamps.Add(Stamp.Absent);
        await WriteAsync(size);
        var taken = new List<double>();
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time || taken.Count < 3;)
            taken.Add(await WriteAsync(size));
        return taken.Order().ElementAt(taken.Count / 2);
    }

    private async Task<double> WriteAsync(int size)
    {
        var batch = new WriteBatch();
        var value = new byte[valueBytes];
        Random.Shared.NextBytes(value);
        for (var i = 0; i < size; i++)
        {
            var next = new Stamp(0, _writer, ++_sequence);
            batch.Add(new KeyWrite(new PartitionKey($"key {i:D6}"), KeyWriteKind.Merge, _stamps[i], null, next), [new PartWrite(SubKey.Root, IsDeleted: false, value)]);
            _stamps[i] = next;
        }

        var start = Stopwatch.GetTimestamp();
        await partition.WriteAsync(batch, CancellationToken.None);
        var taken = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        for (var i = 0; i < size; i++)
        {
            if (batch.OutcomeOf(i).Kind != WriteOutcomeKind.Committed)
                throw new InvalidOperationException($"A write was not committed: {batch.OutcomeOf(i)}");
        }

        return taken;
    }
}

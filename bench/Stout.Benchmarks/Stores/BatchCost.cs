using System.Diagnostics;
using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>What a batch costs over its size, from 1 key to the store's limit: where larger batches stop paying.</summary>
internal static class BatchCost
{
    private const int ValueBytes = 256;
    private static readonly TimeSpan EachSize = TimeSpan.FromSeconds(1);

    public static async Task RunAsync(IComparedStore store)
    {
        await using var proxy = store.Connect();
        var partition = (await proxy.OpenAsync())[0];
        var writer = new BatchesOfOneSize(partition, Guid.NewGuid());
        Console.WriteLine($"a batch of {ValueBytes}-byte values on {store.Name}: keys, median milliseconds, microseconds a key");
        foreach (var size in Sizes(proxy.Limits.MaxBatchKeys))
        {
            var milliseconds = await writer.MeasureAsync(size, EachSize);
            Console.WriteLine($"  {size,6} {milliseconds,10:0.00} {milliseconds * 1_000 / size,10:0.0}");
        }
    }

    private static IEnumerable<int> Sizes(int limit)
    {
        for (var size = 1; size < limit; size *= 2)
            yield return size;
        yield return limit;
    }

    /// <summary>Writes the same keys again and again, as many as asked for.</summary>
    private sealed class BatchesOfOneSize(IStorePartition partition, Guid id)
    {
        private readonly List<Stamp> _stamps = [];
        private long _sequence;

        public async Task<double> MeasureAsync(int size, TimeSpan time)
        {
            while (_stamps.Count < size)
                _stamps.Add(Stamp.Absent);
            await WriteAsync(size);
            var taken = new List<double>();
            for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < time || taken.Count < 3;)
                taken.Add(await WriteAsync(size));
            taken.Sort();
            return taken[taken.Count / 2];
        }

        private async Task<double> WriteAsync(int size)
        {
            var batch = new WriteBatch();
            var value = new byte[ValueBytes];
            Random.Shared.NextBytes(value);
            for (var i = 0; i < size; i++)
            {
                var next = new Stamp(0, id, ++_sequence);
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
}

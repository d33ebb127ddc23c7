using System.Diagnostics;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Benchmarks.Throughput;

/// <summary>A client and its open keys. The client's application writes values of one size, each with different bytes.</summary>
internal sealed class Workload : IStoutApplication, IAsyncDisposable
{
    private readonly byte[] _value;
    private long _written;

    private Workload(int valueBytes)
    {
        _value = new byte[valueBytes];
        Random.Shared.NextBytes(_value);
    }

    public StoutClient Client { get; private set; } = null!;

    public KeyHandle[] Handles { get; private set; } = [];

    public static async Task<Workload> OpenAsync(IStorageProxy store, int keys, int valueBytes, Func<IPacingLaw> pacing, StoutOptions? options = null)
    {
        var workload = new Workload(valueBytes);
        workload.Client = await StoutClient.OpenAsync(store, workload, (options ?? new StoutOptions()) with { Pacing = pacing });
        workload.Handles = new KeyHandle[keys];
        for (var i = 0; i < keys; i++)
            workload.Handles[i] = await workload.Client.FillAsync(new PartitionKey($"key {i:D6}"));
        return workload;
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var key = batch[i];
            foreach (var part in key.DirtyParts)
            {
                var writer = key.Write(part);
                var span = writer.GetSpan(_value.Length);
                _value.CopyTo(span);
                BitConverter.TryWriteBytes(span, Interlocked.Increment(ref _written));
                writer.Advance(_value.Length);
            }
        }

        return default;
    }

    /// <summary>Runs a number of writers, each changing keys of its own and waiting until each change is durable.</summary>
    /// <returns>The number of durable changes.</returns>
    public async Task<long> WriteAsync(int writers, TimeSpan time)
    {
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
        {
            var random = new Random(writer);
            var keys = Handles.Length / writers;
            long done = 0;
            while (Stopwatch.GetElapsedTime(start) < time)
            {
                var handle = Handles[writer + (random.Next(keys) * writers)];
                await handle.MarkDirtyAsync();
                done++;
            }

            return done;
        })));
        return counts.Sum();
    }

    public ValueTask DisposeAsync() => Client.DisposeAsync();

    public static Func<IPacingLaw> NoBatching(int maxInFlight) => PacingLaws.NoBatching(new() { MaxInFlight = maxInFlight });
}

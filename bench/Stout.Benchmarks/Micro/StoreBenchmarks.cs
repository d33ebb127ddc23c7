using BenchmarkDotNet.Attributes;
using Stout.Benchmarks.Stores;
using Stout.Storage;

namespace Stout.Benchmarks.Micro;

/// <summary>
/// Measures a storage proxy by itself: the time of a batch of updates until its acknowledgement. <c>STOUT_BENCH_STORES</c> names the stores
/// (<see cref="NamedStore"/>), separated by semicolons; by default memory, SQLite and the stores that <c>STOUT_POSTGRES</c> … name.
/// </summary>
[MemoryDiagnoser]
public class StoreBenchmarks
{
    private readonly WriteBatch _batch = new();
    private readonly byte[] _value = new byte[256];
    private readonly Guid _writer = Guid.NewGuid();
    private PartitionKey[] _keys = [];
    private Stamp[] _stamps = [];
    private NamedStore _store = null!;
    private long _sequence;

    /// <summary>The stores to measure.</summary>
    public static IEnumerable<string> Stores => Environment.GetEnvironmentVariable("STOUT_BENCH_STORES") is { Length: > 0 } names
        ? names.Split(';')
        : ["memory", "sqlite=.", .. ComparedStores.Variables()];

    /// <summary>The store's name.</summary>
    [ParamsSource(nameof(Stores))]
    public string Store { get; set; } = "";

    /// <summary>The number of keys in one batch.</summary>
    [Params(1, 16, 64, 256)]
    public int Keys { get; set; }

    /// <summary>Opens the store and writes every key once.</summary>
    [GlobalSetup]
    public async Task Setup()
    {
        _store = await NamedStore.OpenAsync(Store);
        _keys = [.. Enumerable.Range(0, Keys).Select(i => new PartitionKey($"key {i:D6}"))];
        _stamps = new Stamp[Keys];
        await WriteBatch();
    }

    /// <summary>Closes the store and removes its files.</summary>
    [GlobalCleanup]
    public async Task Cleanup() => await _store.DisposeAsync();

    /// <summary>Writes one batch, in which every key gets a new stamp and new bytes.</summary>
    [Benchmark]
    public async Task WriteBatch()
    {
        _batch.Clear();
        BitConverter.TryWriteBytes(_value, ++_sequence);
        for (var i = 0; i < Keys; i++)
        {
            var next = new Stamp(0, _writer, ++_sequence);
            var write = new KeyWrite(_keys[i], KeyWriteKind.Merge, _stamps[i], null, next);
            _batch.Add(write, [new PartWrite(SubKey.Root, false, _value)]);
            _stamps[i] = next;
        }

        await _store.Partition.WriteAsync(_batch, CancellationToken.None);
        if (_batch.OutcomeOf(0).Kind != WriteOutcomeKind.Committed)
            throw new InvalidOperationException("The batch was not committed.");
    }
}

using Stout.Storage;
using Stout.Testing;

namespace Stout.Experiments.Live.Stores;

/// <summary>A store in memory with the latency of a remote one. Each request takes 3 to 6 ms, and any number can be in flight.</summary>
internal sealed class FaultyMemory : IRealStore
{
    private static readonly FaultyStoreOptions Away = new() { MinLatency = TimeSpan.FromMilliseconds(3), MaxLatency = TimeSpan.FromMilliseconds(6) };

    private readonly InMemoryStore _memory = new();

    public Task<string> DescribeAsync(CancellationToken cancellationToken) => Task.FromResult(
        $"in memory, and not durable; each request takes {Away.MinLatency.TotalMilliseconds} to {Away.MaxLatency.TotalMilliseconds} ms, any number of them at once: the processors alone bound the rate");

    public IStorageProxy Connect() => new FaultyStore(_memory.Connect(), Away);

    public ValueTask DisposeAsync() => _memory.DisposeAsync();
}

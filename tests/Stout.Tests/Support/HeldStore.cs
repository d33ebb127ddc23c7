using System.Threading.Channels;
using Stout.Storage;

namespace Stout.Tests.Support;

/// <summary>An in-memory store whose writes wait until the test commits or fails them. Reads go through.</summary>
internal sealed class HeldStore : IStorageProxy
{
    private readonly InMemoryStore _store;
    private HeldPartition[] _partitions = [];

    public HeldStore(int partitions = 1) => _store = new InMemoryStore(partitions);

    public StorageCapabilities Capabilities => _store.Capabilities;

    public StorageLimits Limits { get => field ?? _store.Limits; init; }

    /// <summary>Read requests that have come.</summary>
    public int Reads => _partitions.Sum(p => p.Reads);

    public bool IsDisposed { get; private set; }

    /// <summary>The exception that every read throws; null lets reads through.</summary>
    public Exception? ReadError { get; set; }

    /// <summary>Whether writes are held back, from the next one on.</summary>
    public bool Holds { get; set; } = true;

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        var inner = await _store.OpenAsync(cancellationToken);
        _partitions = [.. inner.Select(partition => new HeldPartition(this, partition))];
        return _partitions;
    }

    /// <summary>The next write that comes to a partition.</summary>
    public async Task<HeldWrite> NextWriteAsync(int partition = 0) => await _partitions[partition].Writes.Reader.ReadAsync();

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return ValueTask.CompletedTask;
    }

    private sealed class HeldPartition(HeldStore store, IStorePartition inner) : IStorePartition
    {
        private int _reads;

        public int Reads => _reads;

        public Channel<HeldWrite> Writes { get; } = Channel.CreateUnbounded<HeldWrite>();

        public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
        {
            if (store.Holds)
            {
                var held = new HeldWrite(batch, cancellationToken);
                Writes.Writer.TryWrite(held);
                await held.Decision;
            }

            await inner.WriteAsync(batch, cancellationToken);
        }

        public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref _reads);
            if (store.ReadError is not null)
                throw store.ReadError;
            return inner.ReadAsync(batch, cancellationToken);
        }
    }
}

/// <summary>A write that waits for the test.</summary>
internal sealed class HeldWrite(WriteBatch batch, CancellationToken cancellationToken)
{
    private readonly TaskCompletionSource _decision = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task Decision => _decision.Task;

    public WriteBatch Batch => batch;

    /// <summary>The token of the proxy's call.</summary>
    public CancellationToken CancellationToken => cancellationToken;

    public void Commit() => _decision.SetResult();

    public void Fail(Exception error) => _decision.SetException(error);
}

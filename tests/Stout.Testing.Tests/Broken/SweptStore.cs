using Stout.Storage;

namespace Stout.Testing.Tests.Broken;

/// <summary>A store with dead rows and deleted headers, as far as a test sees them: it counts what the store behind it would hold.</summary>
internal sealed class SweptStore(IStorageProxy inner, TimeProvider time, StoreSweepOptions told, StoreSweepOptions sweeping, bool stopsAfterABatch) : IStorageProxy, IStorePartition
{
    private readonly Lock _lock = new();
    private readonly Dictionary<PartitionKey, int> _parts = [];
    private readonly Dictionary<PartitionKey, DateTimeOffset> _deleted = [];
    private readonly HashSet<PartitionKey> _gone = [];
    private IStorePartition? _partition;
    private BackgroundLoop? _loop;
    private int _dead;

    public StorageCapabilities Capabilities => inner.Capabilities;

    public StorageLimits Limits => inner.Limits with { DeletedHeaderRetention = told.Retention };

    /// <summary>What the store holds when the sweep that is under way has ended.</summary>
    public async Task<int> CountRowsAsync()
    {
        await _loop!.Running;
        lock (_lock)
            return _dead + _parts.Count + _parts.Values.Sum();
    }

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        _partition = (await inner.OpenAsync(cancellationToken)).Single();
        _loop = new BackgroundLoop(time, sweeping.Interval, Sweep);
        return [this];
    }

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        await _partition!.WriteAsync(batch, cancellationToken);
        lock (_lock)
        {
            for (var i = 0; i < batch.Count; i++)
            {
                if (batch[i].Kind != KeyWriteKind.Merge)
                    _dead += _parts.GetValueOrDefault(batch[i].Key);
                _parts[batch[i].Key] = batch.PartsOf(i).Length;
                if (batch[i].Kind == KeyWriteKind.Delete)
                    _deleted[batch[i].Key] = time.GetUtcNow();
            }
        }
    }

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => _partition!.ListAsync(listing, cancellationToken);

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        await _loop!.Running;
        await _partition!.ReadAsync(batch, cancellationToken);
        lock (_lock)
        {
            for (var i = 0; i < batch.Count; i++)
            {
                if (_gone.Contains(batch[i].Key))
                    batch.SetOutcome(i, ReadOutcome.NotFound(Stamp.Absent));
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_loop is not null)
            await _loop.DisposeAsync();
        await inner.DisposeAsync();
    }

    private ValueTask Sweep(CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            do
                _dead -= Math.Min(_dead, sweeping.BatchSize ?? 1_000);
            while (_dead > 0 && !stopsAfterABatch);
            _gone.UnionWith(_deleted.Where(key => key.Value + sweeping.Retention <= time.GetUtcNow()).Select(key => key.Key));
        }

        return ValueTask.CompletedTask;
    }
}

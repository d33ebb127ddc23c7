using Stout.Storage;

namespace Stout.Testing.Tests.Broken;

/// <summary>A store that appears to have dead rows and deleted headers: it counts the rows that a real store would contain.</summary>
internal sealed class SweptStore(IStorageProxy inner, TimeProvider time, StoreSweepOptions told, BrokenPromise broken) : IStorageProxy, IStorePartition
{
    private readonly Lock _lock = new();
    private readonly Dictionary<PartitionKey, int> _parts = [];
    private readonly Dictionary<PartitionKey, (DateTimeOffset Since, long Epoch)> _withoutObject = [];
    private readonly Dictionary<PartitionKey, int> _removals = [];
    private readonly StoreSweepOptions _sweeping = broken.Sweeping(told);
    private readonly BackgroundJob _job = new("sweep");
    private long _floor;
    private IStorePartition? _partition;
    private BackgroundLoop? _loop;
    private int _dead;

    public StorageCapabilities Capabilities => inner.Capabilities;

    public StorageLimits Limits => inner.Limits with { DeletedHeaderRetention = told.Retention };

    public IReadOnlyList<BackgroundJob> BackgroundJobs => broken.HidesFailingSweeps ? [] : [_job];

    /// <summary>Whether each sweep fails.</summary>
    public bool SweepsFail { get; set; }

    /// <summary>The number of rows when the running sweep has ended.</summary>
    public async Task<int> CountRowsAsync()
    {
        await _loop!.Running;
        lock (_lock)
            return _dead + _parts.Count + _parts.Values.Sum();
    }

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        _partition = (await inner.OpenAsync(cancellationToken)).Single();
        _loop = new BackgroundLoop(time, _sweeping.Interval, _job, Sweep);
        return [this];
    }

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        var sent = new WriteBatch();
        for (var i = 0; i < batch.Count; i++)
            sent.Add(batch[i] with { Key = InnerOf(batch[i].Key) }, batch.PartsOf(i));
        await _partition!.WriteAsync(sent, cancellationToken);
        lock (_lock)
        {
            for (var i = 0; i < batch.Count; i++)
            {
                batch.SetOutcome(i, sent.OutcomeOf(i));
                if (sent.OutcomeOf(i).Kind != WriteOutcomeKind.Committed)
                    continue;
                var key = batch[i].Key;
                if (batch[i].Kind != KeyWriteKind.Merge)
                    _dead += _parts.GetValueOrDefault(key);
                _parts[key] = batch.PartsOf(i).Length;
                if (batch[i].Kind == KeyWriteKind.Delete)
                    _withoutObject[key] = (time.GetUtcNow(), batch[i].Owner.Epoch);
                else
                    _withoutObject.Remove(key);
            }
        }
    }

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => _partition!.ListAsync(listing, cancellationToken);

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        await _loop!.Running;
        for (var i = 0; i < batch.Count; i++)
        {
            var key = batch[i].Key;
            var before = await ReadAsync(new KeyRead(InnerOf(key), KeyReadKind.Header), cancellationToken);
            var read = batch[i] with { Key = InnerOf(key) };
            if (read.Claim is { } claim && before.Header == default && claim.OnlyIf is null)
                read = read with { Claim = claim with { AtLeastEpoch = Math.Max(claim.AtLeastEpoch, _floor + 1) } };
            var outcome = await ReadAsync(read, cancellationToken);
            batch.SetOutcome(i, outcome);
            if (outcome.Owner == before.Owner || outcome.Exists)
                continue;
            lock (_lock)
            {
                var isNew = !_withoutObject.TryGetValue(key, out var since) || !broken.ClaimsKeepNoHeader;
                _withoutObject[key] = (isNew ? time.GetUtcNow() : since.Since, outcome.Owner.Epoch);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_loop is not null)
            await _loop.DisposeAsync();
        await inner.DisposeAsync();
    }

    private async Task<ReadOutcome> ReadAsync(KeyRead read, CancellationToken cancellationToken)
    {
        var batch = new ReadBatch();
        batch.Add(read);
        await _partition!.ReadAsync(batch, cancellationToken);
        return batch.OutcomeOf(0);
    }

    /// <summary>The inner store's key for a key. It changes with each removal of the key's header, so that the inner store has no header for the key.</summary>
    private PartitionKey InnerOf(PartitionKey key)
    {
        lock (_lock)
            return _removals.TryGetValue(key, out var removals) ? new PartitionKey($"{key}/{removals}") : key;
    }

    private ValueTask Sweep(CancellationToken cancellationToken)
    {
        if (SweepsFail)
            throw new StoreException(StoreErrorKind.Refused, "The store refuses sweeps.");
        lock (_lock)
        {
            do
                _dead -= Math.Min(_dead, _sweeping.BatchSize ?? 1_000);
            while (_dead > 0 && !broken.SweepsABatchAlone);
            foreach (var (key, (since, epoch)) in _withoutObject.Where(key => key.Value.Since + _sweeping.Retention <= time.GetUtcNow()).ToList())
            {
                _withoutObject.Remove(key);
                _parts.Remove(key);
                _removals[key] = _removals.GetValueOrDefault(key) + 1;
                _floor = broken.RaisesNoFloor ? 0 : Math.Max(_floor, epoch);
            }
        }

        return ValueTask.CompletedTask;
    }
}

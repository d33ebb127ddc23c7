using Stout.Storage;

namespace Stout.Documents.Tests;

/// <summary>An in-memory store. A test can hold its requests, replace its answers, and look at the writes that have come and at the stored parts.</summary>
internal sealed class ControlledStore(StorageLimits? limits = null) : IStorageProxy
{
    private readonly InMemoryStore _inner = new();
    private readonly Lock _lock = new();
    private readonly List<Hold> _holds = [];
    private readonly List<RecordedWrite> _writes = [];
    private IStorePartition? _partition;

    public StorageCapabilities Capabilities { get => field ?? _inner.Capabilities; init; }

    public StorageLimits Limits => limits ?? _inner.Limits;

    /// <summary>The writes that have come so far, of all keys.</summary>
    public IReadOnlyList<RecordedWrite> Writes
    {
        get
        {
            lock (_lock)
                return [.. _writes];
        }
    }

    /// <summary>Returns the outcome of a key's write in place of the store; null lets the write through.</summary>
    public Func<string, WriteOutcome?> Answer { get; set; } = _ => null;

    /// <summary>Returns the outcome of a key's read in place of the store; null lets the read through.</summary>
    public Func<string, ReadOutcome?> AnswerRead { get; set; } = _ => null;

    /// <summary>Called after every batch, before it is acknowledged.</summary>
    public Action<WriteBatch> Written { get; set; } = _ => { };

    /// <summary>Called before every page of a listing. If it throws, the listing gets the exception instead of the page.</summary>
    public Action<KeyListing> Listed { get; set; } = _ => { };

    public int KeysRead { get; private set; }

    public bool IsDisposed { get; private set; }

    /// <summary>Another client of the same data.</summary>
    public InMemoryStore Connect() => _inner.Connect();

    /// <summary>Holds requests back before they reach the store, if they concern a key that ends with <paramref name="keyEnd"/>.</summary>
    public Hold HoldWrites(string keyEnd = "") => HoldRequests(keyEnd, reads: false);

    /// <inheritdoc cref="HoldWrites"/>
    public Hold HoldReads(string keyEnd = "") => HoldRequests(keyEnd, reads: true);

    /// <summary>The store's parts of a key; null if the key does not exist.</summary>
    public async Task<Dictionary<string, byte[]>?> PeekAsync(string key)
    {
        var batch = new ReadBatch();
        batch.Add(new KeyRead(new PartitionKey(key)));
        var partitions = await _inner.OpenAsync();
        await partitions[0].ReadAsync(batch, CancellationToken.None);
        var outcome = batch.OutcomeOf(0);
        Assert.Equal(ReadOutcomeKind.Read, outcome.Kind);
        return outcome.Exists ? outcome.Parts.ToDictionary(part => part.SubKey.Text, part => part.Value.ToArray()) : null;
    }

    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        _partition = (await _inner.OpenAsync(cancellationToken))[0];
        return [new Partition(this)];
    }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return ValueTask.CompletedTask;
    }

    private Hold HoldRequests(string keyEnd, bool reads)
    {
        var hold = new Hold(keyEnd, reads);
        lock (_lock)
            _holds.Add(hold);
        return hold;
    }

    private Task PassHolds(IEnumerable<string> keys, bool reads)
    {
        lock (_lock)
        {
            _holds.RemoveAll(hold => hold.IsReleased);
            return Task.WhenAll(_holds
                .Where(hold => hold.Reads == reads && keys.Any(key => key.EndsWith(hold.KeyEnd, StringComparison.Ordinal)))
                .Select(hold => hold.Arrive()));
        }
    }

    private sealed class Partition(ControlledStore store) : IStorePartition
    {
        public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
        {
            var writes = Enumerable.Range(0, batch.Count).Select(i => new RecordedWrite(batch[i], batch.PartsOf(i))).ToList();
            lock (store._lock)
                store._writes.AddRange(writes);
            await store.PassHolds(writes.Select(write => write.Key), reads: false);
            var passing = new WriteBatch();
            var places = new List<int>();
            for (var i = 0; i < batch.Count; i++)
            {
                if (store.Answer(batch[i].Key.Text) is { } answer)
                {
                    batch.SetOutcome(i, answer);
                    continue;
                }

                passing.Add(batch[i], batch.PartsOf(i));
                places.Add(i);
            }

            await store._partition!.WriteAsync(passing, cancellationToken);
            for (var i = 0; i < passing.Count; i++)
                batch.SetOutcome(places[i], passing.OutcomeOf(i));
            store.Written(batch);
        }

        public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken)
        {
            store.Listed(listing);
            return store._partition!.ListAsync(listing, cancellationToken);
        }

        public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
        {
            lock (store._lock)
                store.KeysRead += batch.Count;
            await store.PassHolds(Enumerable.Range(0, batch.Count).Select(i => batch[i].Key.Text), reads: true);
            var answers = Enumerable.Range(0, batch.Count).Select(i => store.AnswerRead(batch[i].Key.Text)).ToList();
            await store._partition!.ReadAsync(batch, cancellationToken);
            for (var i = 0; i < batch.Count; i++)
            {
                if (answers[i] is { } answer)
                    batch.SetOutcome(i, answer);
            }
        }
    }
}

/// <summary>A write as it came to the store.</summary>
internal sealed class RecordedWrite
{
    public RecordedWrite(KeyWrite write, ReadOnlySpan<PartWrite> parts)
    {
        Key = write.Key.Text;
        Kind = write.Kind;
        foreach (var part in parts)
            Parts[part.SubKey.Text] = part.IsDeleted ? null : part.Value.ToArray();
    }

    public string Key { get; }

    public KeyWriteKind Kind { get; }

    /// <summary>The parts' bytes; null for a part that the write removes.</summary>
    public SortedDictionary<string, byte[]?> Parts { get; } = new(StringComparer.Ordinal);
}

/// <summary>Holds requests back until the test releases or disposes this object.</summary>
internal sealed class Hold(string keyEnd, bool reads) : IDisposable
{
    private readonly TaskCompletionSource _arrived = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public string KeyEnd => keyEnd;

    public bool Reads => reads;

    /// <summary>Completes when the first request is held.</summary>
    public Task Arrived => _arrived.Task;

    public bool IsReleased => _released.Task.IsCompleted;

    public void Release() => _released.TrySetResult();

    public void Dispose() => Release();

    internal Task Arrive()
    {
        _arrived.TrySetResult();
        return _released.Task;
    }
}

using System.Collections.Concurrent;
using System.Text;
using Stout.Storage;

namespace Stout.Testing;

/// <summary>
/// A client of a store for tests: an open proxy, and the stamps of one writer. As a lane does, the client keeps the token of each version and owner, and
/// sends it with the writes that expect both.
/// </summary>
public sealed class StoreClient : IAsyncDisposable
{
    /// <summary>
    /// The largest number of attempts at a busy key. Concurrent writers release the key soon, so a key that stays busy longer is reported as busy.
    /// </summary>
    private const int MostAttempts = 1_000;

    private readonly Guid _writer = Guid.NewGuid();
    private readonly IReadOnlyList<IStorePartition> _partitions;
    private readonly ConcurrentDictionary<(PartitionKey Key, KeyHeader Header), object> _tokens;
    private readonly bool _ownsProxy;
    private long _sequence;

    private StoreClient(IStorageProxy proxy, IReadOnlyList<IStorePartition> partitions, StoreClient? known, bool ownsProxy)
    {
        Proxy = proxy;
        _partitions = partitions;
        _tokens = known?._tokens ?? [];
        _ownsProxy = ownsProxy;
    }

    /// <summary>The open proxy.</summary>
    public IStorageProxy Proxy { get; }

    /// <summary>The background work of all store partitions.</summary>
    public IEnumerable<BackgroundJob> BackgroundJobs => _partitions.SelectMany(static partition => partition.BackgroundJobs);

    /// <summary>The number of store partitions.</summary>
    public int Partitions => _partitions.Count;

    /// <summary>Opens a proxy. The client disposes it.</summary>
    /// <param name="proxy">An unopened proxy.</param>
    /// <param name="known">An earlier client of the same store, whose tokens remain valid; or null.</param>
    public static async Task<StoreClient> OpenAsync(IStorageProxy proxy, StoreClient? known = null)
    {
        ArgumentNullException.ThrowIfNull(proxy);
        return new StoreClient(proxy, await proxy.OpenAsync(TestContext.Current.CancellationToken), known, ownsProxy: true);
    }

    /// <summary>Creates another writer on the same open proxy, without owning the proxy.</summary>
    public StoreClient AnotherWriter() => new(Proxy, _partitions, this, ownsProxy: false);

    /// <summary>A stamp that was never used before.</summary>
    /// <param name="epoch">The epoch of the owner that writes under the stamp.</param>
    public Stamp NextStamp(long epoch = 0) => new(epoch, _writer, Interlocked.Increment(ref _sequence));

    /// <summary>A write of a key, with a new stamp as the key's next version.</summary>
    /// <param name="key">The key.</param>
    /// <param name="expected">The version that the store has to hold.</param>
    /// <param name="kind">The effect on the key's other parts.</param>
    /// <param name="owner">The owner that the store must have; by default <see cref="KeyOwner.None"/>.</param>
    public KeyWrite NewWrite(string key, Stamp expected, KeyWriteKind kind = KeyWriteKind.Merge, KeyOwner owner = default) =>
        new(new PartitionKey(key), kind, expected, null, NextStamp(owner.Epoch)) { Owner = owner };

    /// <summary>The store partition that holds a key.</summary>
    public int PartitionOf(PartitionKey key) => Slots.PartitionOf(Slots.Of(key), _partitions.Count);

    /// <summary>Keys of one store partition, which can share a batch.</summary>
    public IReadOnlyList<string> KeysTogether(int count) =>
        [.. Enumerable.Range(0, int.MaxValue).Select(i => $"key {i}").Where(key => PartitionOf(new PartitionKey(key)) == 0).Take(count)];

    /// <summary>Adds a write to a batch, with the token that belongs to the version and the owner that it expects.</summary>
    public void Add(WriteBatch batch, KeyWrite write, params ReadOnlySpan<PartWrite> parts)
    {
        ArgumentNullException.ThrowIfNull(batch);
        batch.Add(write with { ExpectedToken = _tokens.GetValueOrDefault((write.Key, new KeyHeader(write.Expected, write.Owner))) }, parts);
    }

    /// <summary>Sends a batch to one store partition.</summary>
    public async Task WriteAsync(int partition, WriteBatch batch, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(batch);
        await _partitions[partition].WriteAsync(batch, cancellationToken);
        for (var i = 0; i < batch.Count; i++)
        {
            if (batch.OutcomeOf(i) is { Kind: WriteOutcomeKind.Committed, Token: { } token })
                _tokens[(batch[i].Key, new KeyHeader(batch[i].Next, batch[i].Owner))] = token;
        }
    }

    /// <summary>Sends a batch to the store partition of its first key. All keys of the batch must be in that partition.</summary>
    public Task WriteAsync(WriteBatch batch)
    {
        ArgumentNullException.ThrowIfNull(batch);
        return WriteAsync(PartitionOf(batch[0].Key), batch, TestContext.Current.CancellationToken);
    }

    /// <summary>Sends a write alone, and repeats it a bounded number of times while the key is busy.</summary>
    public async Task<WriteOutcome> WriteAsync(KeyWrite write, params PartWrite[] parts)
    {
        var batch = new WriteBatch();
        Add(batch, write, parts);
        await WriteAsync(batch);
        for (var attempt = 1; attempt < MostAttempts && batch.OutcomeOf(0).Kind == WriteOutcomeKind.Busy; attempt++)
            await WriteAsync(batch);
        return batch.OutcomeOf(0);
    }

    /// <summary>Sends a write, and fails the test unless the write is committed.</summary>
    /// <returns>The write's stamp.</returns>
    public async Task<Stamp> PutAsync(string key, Stamp expected, KeyWriteKind kind = KeyWriteKind.Merge, KeyOwner owner = default, params PartWrite[] parts)
    {
        var write = NewWrite(key, expected, kind, owner);
        var outcome = await WriteAsync(write, parts);
        Assert.True(outcome.Kind == WriteOutcomeKind.Committed, $"{outcome.Kind}: {outcome.Error}");
        return write.Next;
    }

    /// <summary>Reads a key without a claim, and repeats the read a bounded number of times while the key is busy.</summary>
    public Task<ReadOutcome> ReadAsync(string key) => AskAsync(new KeyRead(new PartitionKey(key)));

    /// <summary>Reads a key's version and owner.</summary>
    public Task<ReadOutcome> ReadHeaderAsync(string key) => AskAsync(new KeyRead(new PartitionKey(key), KeyReadKind.Header));

    /// <summary>Claims a key, and repeats the same claim a bounded number of times while the key is busy.</summary>
    /// <param name="key">The key.</param>
    /// <param name="claim">The claim; by default a new one, for the next epoch.</param>
    public Task<ReadOutcome> ClaimAsync(string key, KeyClaim? claim = null) =>
        AskAsync(new KeyRead(new PartitionKey(key), KeyReadKind.Claim, claim ?? new KeyClaim(Guid.NewGuid())));

    /// <summary>Raises the epoch floor of all store partitions.</summary>
    public async Task RaiseEpochFloorAsync(long epoch)
    {
        foreach (var partition in _partitions)
            await partition.RaiseEpochFloorAsync(epoch, TestContext.Current.CancellationToken);
    }

    /// <summary>Reads keys of one store partition in one batch, without claims.</summary>
    public Task<IReadOnlyList<ReadOutcome>> ReadAsync(IReadOnlyList<string> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        return AskAsync([.. keys.Select(static key => new KeyRead(new PartitionKey(key)))]);
    }

    /// <summary>Claims keys of one store partition in one batch, each with a claim of its own.</summary>
    public Task<IReadOnlyList<ReadOutcome>> ClaimAsync(IReadOnlyList<string> keys)
    {
        ArgumentNullException.ThrowIfNull(keys);
        return AskAsync([.. keys.Select(static key => new KeyRead(new PartitionKey(key), KeyReadKind.Claim, new KeyClaim(Guid.NewGuid())))]);
    }

    /// <summary>Sends reads of keys of one store partition in one batch.</summary>
    public async Task<IReadOnlyList<ReadOutcome>> AskAsync(IReadOnlyList<KeyRead> reads)
    {
        ArgumentNullException.ThrowIfNull(reads);
        Assert.SkipWhen(!Proxy.Capabilities.Claims && reads.Any(static read => read.Kind == KeyReadKind.Claim), "The store says that it can't: Claims.");
        var batch = new ReadBatch();
        foreach (var read in reads)
            batch.Add(read);
        await ReadAsync(PartitionOf(batch[0].Key), batch);
        var outcomes = Enumerable.Range(0, batch.Count).Select(batch.OutcomeOf).ToList();
        for (var i = 0; i < outcomes.Count; i++)
        {
            if (outcomes[i] is { Kind: ReadOutcomeKind.Read, Token: { } token })
                _tokens[(batch[i].Key, outcomes[i].Header)] = token;
        }

        return outcomes;
    }

    /// <summary>Sends a read batch to one store partition.</summary>
    public async Task ReadAsync(int partition, ReadBatch batch) => await _partitions[partition].ReadAsync(batch, TestContext.Current.CancellationToken);

    private async Task<ReadOutcome> AskAsync(KeyRead read)
    {
        var outcome = (await AskAsync([read]))[0];
        for (var attempt = 1; attempt < MostAttempts && outcome.Kind == ReadOutcomeKind.Busy; attempt++)
            outcome = (await AskAsync([read]))[0];
        return outcome;
    }

    /// <summary>Lists the keys of all store partitions, page by page.</summary>
    /// <param name="prefix">The keys' prefix.</param>
    /// <param name="mostKeys">The requested page size; a store may return more.</param>
    /// <param name="betweenPages">Called before each page except the first.</param>
    public async Task<IReadOnlyList<string>> ListAsync(string prefix, int mostKeys, Func<Task>? betweenPages = null)
    {
        var keys = new List<string>();
        foreach (var partition in _partitions)
        {
            for (string? continuation = null; ;)
            {
                var page = await partition.ListAsync(new KeyListing(prefix, mostKeys, continuation), TestContext.Current.CancellationToken);
                keys.AddRange(page.Keys.Select(static key => key.Text));
                continuation = page.Continuation;
                if (continuation is null)
                    break;
                if (betweenPages is not null)
                    await betweenPages();
            }
        }

        return keys;
    }

    /// <summary>Disposes the proxy, unless another client owns it.</summary>
    public ValueTask DisposeAsync() => _ownsProxy ? Proxy.DisposeAsync() : ValueTask.CompletedTask;

    /// <summary>A part with a text as its value.</summary>
    public static PartWrite Part(string subKey, string value) => Part(subKey, Encoding.UTF8.GetBytes(value));

    /// <summary>A part.</summary>
    public static PartWrite Part(string subKey, byte[] value) => new(new SubKey(subKey), IsDeleted: false, value);

    /// <summary>A removed part.</summary>
    public static PartWrite NoPart(string subKey) => new(new SubKey(subKey), IsDeleted: true, default);

    /// <summary>The parts of a read key as a text for comparisons: <c>subkey=value</c>, sorted; <c>(none)</c> for an absent key.</summary>
    public static string Show(ReadOutcome outcome)
    {
        Assert.True(outcome.Kind == ReadOutcomeKind.Read, $"{outcome.Kind}: {outcome.Error}");
        return outcome.Exists
            ? string.Join(' ', outcome.Parts.OrderBy(part => part.SubKey).Select(part => $"{part.SubKey}={Encoding.UTF8.GetString(part.Value.Span)}"))
            : "(none)";
    }
}

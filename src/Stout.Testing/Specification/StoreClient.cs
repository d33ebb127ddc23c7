using System.Collections.Concurrent;
using System.Text;
using Stout.Storage;

namespace Stout.Testing;

/// <summary>
/// An open proxy with a writer's stamps: a simple substitute for a lane. Each write passes the token that came with its expected stamp.
/// </summary>
public sealed class StoreClient : IAsyncDisposable
{
    /// <summary>Bounds the attempts at a busy key: concurrent writers release it soon; a key that stays busy is a result.</summary>
    private const int MostAttempts = 1_000;

    private readonly Guid _writer = Guid.NewGuid();
    private readonly IReadOnlyList<IStorePartition> _partitions;
    private readonly ConcurrentDictionary<(PartitionKey Key, Stamp Stamp), object> _tokens;
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

    /// <summary>A new stamp.</summary>
    public Stamp NextStamp(long epoch = 0) => new(epoch, _writer, Interlocked.Increment(ref _sequence));

    /// <summary>A write of a key with a new stamp.</summary>
    public KeyWrite NewWrite(string key, Stamp expected, KeyWriteKind kind = KeyWriteKind.Merge, long epoch = 0) =>
        new(new PartitionKey(key), kind, expected, null, NextStamp(epoch));

    /// <summary>The store partition that holds a key.</summary>
    public int PartitionOf(PartitionKey key) => Slots.PartitionOf(Slots.Of(key), _partitions.Count);

    /// <summary>Keys of one store partition, which can share a batch.</summary>
    public IReadOnlyList<string> KeysTogether(int count) =>
        [.. Enumerable.Range(0, int.MaxValue).Select(i => $"key {i}").Where(key => PartitionOf(new PartitionKey(key)) == 0).Take(count)];

    /// <summary>Adds a write to a batch, with the token of its expected stamp.</summary>
    public void Add(WriteBatch batch, KeyWrite write, params ReadOnlySpan<PartWrite> parts)
    {
        ArgumentNullException.ThrowIfNull(batch);
        batch.Add(write with { ExpectedToken = _tokens.GetValueOrDefault((write.Key, write.Expected)) }, parts);
    }

    /// <summary>Sends a batch to one store partition.</summary>
    public async Task WriteAsync(int partition, WriteBatch batch, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(batch);
        await _partitions[partition].WriteAsync(batch, cancellationToken);
        for (var i = 0; i < batch.Count; i++)
        {
            if (batch.OutcomeOf(i) is { Kind: WriteOutcomeKind.Committed, Token: { } token })
                _tokens[(batch[i].Key, batch[i].Next)] = token;
        }
    }

    /// <summary>Sends a batch to the store partition of its first key, which must contain all its keys.</summary>
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

    /// <summary>Sends a write that must be committed.</summary>
    /// <returns>The stamp after the write.</returns>
    public async Task<Stamp> PutAsync(string key, Stamp expected, KeyWriteKind kind = KeyWriteKind.Merge, long epoch = 0, params PartWrite[] parts)
    {
        var write = NewWrite(key, expected, kind, epoch);
        var outcome = await WriteAsync(write, parts);
        Assert.True(outcome.Kind == WriteOutcomeKind.Committed, $"{outcome.Kind}: {outcome.Error}");
        return write.Next;
    }

    /// <summary>Reads a key under an epoch, which claims it from an older one. Repeats a bounded number of times while the key is busy.</summary>
    public async Task<ReadOutcome> ReadAsync(string key, long epoch = 0)
    {
        var read = (await ReadAsync([key], epoch))[0];
        for (var attempt = 1; attempt < MostAttempts && read.Kind == ReadOutcomeKind.Busy; attempt++)
            read = (await ReadAsync([key], epoch))[0];
        return read;
    }

    /// <summary>Reads keys of one store partition in one batch.</summary>
    public async Task<IReadOnlyList<ReadOutcome>> ReadAsync(IReadOnlyList<string> keys, long epoch = 0)
    {
        ArgumentNullException.ThrowIfNull(keys);
        var batch = new ReadBatch();
        foreach (var key in keys)
            batch.Add(new KeyRead(new PartitionKey(key), NextStamp(epoch)));
        await _partitions[PartitionOf(batch[0].Key)].ReadAsync(batch, TestContext.Current.CancellationToken);
        var outcomes = Enumerable.Range(0, batch.Count).Select(batch.OutcomeOf).ToList();
        for (var i = 0; i < outcomes.Count; i++)
        {
            if (outcomes[i].Token is { } token)
                _tokens[(batch[i].Key, outcomes[i].Stamp)] = token;
        }

        return outcomes;
    }

    /// <summary>Sends a read batch to one store partition.</summary>
    public async Task ReadAsync(int partition, ReadBatch batch) => await _partitions[partition].ReadAsync(batch, TestContext.Current.CancellationToken);

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

    /// <summary>A text of the parts for comparisons: <c>subkey=value</c>, sorted; <c>(none)</c> for an absent key.</summary>
    public static string Show(ReadOutcome outcome)
    {
        Assert.True(outcome.Kind == ReadOutcomeKind.Read, $"{outcome.Kind}: {outcome.Error}");
        return outcome.Exists
            ? string.Join(' ', outcome.Parts.OrderBy(part => part.SubKey).Select(part => $"{part.SubKey}={Encoding.UTF8.GetString(part.Value.Span)}"))
            : "(none)";
    }
}

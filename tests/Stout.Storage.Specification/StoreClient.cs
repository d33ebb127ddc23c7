using System.Text;

namespace Stout.Storage.Specification;

/// <summary>An open proxy, and a writer's stamps: what a lane is to a store, without its cleverness.</summary>
public sealed class StoreClient(IStorageProxy proxy, IReadOnlyList<IStorePartition> partitions) : IAsyncDisposable
{
    private static long _writers;

    private readonly Guid _writer = new((int)Interlocked.Increment(ref _writers), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    private long _sequence;

    public IStorageProxy Proxy => proxy;

    public static async Task<StoreClient> OpenAsync(IStorageProxy proxy) =>
        new(proxy, await proxy.OpenAsync(TestContext.Current.CancellationToken));

    /// <summary>A stamp that no one has had before.</summary>
    public Stamp NextStamp(long epoch = 0) => new(epoch, _writer, Interlocked.Increment(ref _sequence));

    public int PartitionOf(PartitionKey key) => Slots.PartitionOf(Slots.Of(key), partitions.Count);

    public async Task WriteAsync(int partition, WriteBatch batch, CancellationToken cancellationToken = default) =>
        await partitions[partition].WriteAsync(batch, cancellationToken);

    public async Task<WriteOutcome> WriteAsync(KeyWrite write, params PartWrite[] parts)
    {
        var batch = new WriteBatch();
        batch.Add(write, parts);
        await partitions[PartitionOf(write.Key)].WriteAsync(batch, TestContext.Current.CancellationToken);
        return batch.OutcomeOf(0);
    }

    /// <summary>A write that has to be committed.</summary>
    /// <returns>The stamp that it left.</returns>
    public async Task<Stamp> PutAsync(string key, Stamp expected, KeyWriteKind kind = KeyWriteKind.Merge, long epoch = 0, params PartWrite[] parts)
    {
        var next = NextStamp(epoch);
        var outcome = await WriteAsync(new KeyWrite(new PartitionKey(key), kind, expected, null, next), parts);
        Assert.True(outcome.Kind == WriteOutcomeKind.Committed, $"{outcome.Kind}: {outcome.Error}");
        return next;
    }

    public async Task<ReadOutcome> ReadAsync(string key, long epoch = 0)
    {
        var batch = new ReadBatch();
        batch.Add(new KeyRead(new PartitionKey(key), NextStamp(epoch)));
        await partitions[PartitionOf(new PartitionKey(key))].ReadAsync(batch, TestContext.Current.CancellationToken);
        return batch.OutcomeOf(0);
    }

    public ValueTask DisposeAsync() => proxy.DisposeAsync();

    public static PartWrite Part(string subKey, string value) => Part(subKey, Encoding.UTF8.GetBytes(value));

    public static PartWrite Part(string subKey, byte[] value) => new(new SubKey(subKey), IsDeleted: false, value);

    public static PartWrite NoPart(string subKey) => new(new SubKey(subKey), IsDeleted: true, default);

    /// <summary>The parts in a form that is easy to compare: <c>subkey=value</c>, ordered.</summary>
    public static string Show(ReadOutcome outcome)
    {
        Assert.True(outcome.Kind == ReadOutcomeKind.Read, $"{outcome.Kind}: {outcome.Error}");
        return outcome.Exists
            ? string.Join(' ', outcome.Parts.OrderBy(part => part.SubKey).Select(part => $"{part.SubKey}={Encoding.UTF8.GetString(part.Value.Span)}"))
            : "(none)";
    }
}

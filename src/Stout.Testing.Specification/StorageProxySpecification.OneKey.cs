using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    private const int Neighbors = 9;

    /// <summary>
    /// Holds a key in the store, as another session's lock would. Null (the default) skips the tests of busy keys, for stores in which keys cannot be
    /// held.
    /// </summary>
    /// <param name="store">The open client.</param>
    /// <param name="key">An existing key.</param>
    /// <returns>An object whose disposal releases the key.</returns>
    protected virtual Task<IAsyncDisposable?> HoldKeyAsync(StoreClient store, string key) => Task.FromResult<IAsyncDisposable?>(null);

    /// <summary>
    /// Makes the store refuse every write of one key from now on, for instance by a trigger or a constraint. False (the default) skips the test of
    /// refused keys.
    /// </summary>
    /// <param name="store">The open client.</param>
    /// <param name="key">An existing key.</param>
    protected virtual Task<bool> RefuseKeyAsync(StoreClient store, string key) => Task.FromResult(false);

    /// <summary>Damages the stored rows of a key so that the proxy cannot decode them. False (the default) skips the test of damaged keys.</summary>
    /// <param name="store">The open client.</param>
    /// <param name="key">An existing key.</param>
    protected virtual Task<bool> DamageKeyAsync(StoreClient store, string key) => Task.FromResult(false);

    /// <summary>A held key is reported as busy, and the other keys of its batch are written.</summary>
    [Fact]
    public async Task Key_that_something_holds_is_busy_and_its_neighbors_are_committed()
    {
        await using var store = await OpenAsync();
        var (keys, stamps) = await PutNeighborsAsync(store);
        var hold = await HoldKeyAsync(store, keys[4]);
        Assert.SkipWhen(hold is null, "The test class can't hold a key.");
        KeyWrite held;
        await using (hold)
        {
            var batch = UpdateOf(store, keys, stamps);
            held = batch[4];
            await store.WriteAsync(batch);
            Assert.Equal(AllBut(4, WriteOutcomeKind.Committed, WriteOutcomeKind.Busy), KindsOf(batch));

            // A store whose readers wait for locks may report the key as busy.
            var reads = await store.ReadAsync(keys);
            Assert.True(reads[4].Kind == ReadOutcomeKind.Busy || Show(reads[4]) == "=old", $"{reads[4].Kind}");
            Assert.All(reads.Where((_, i) => i != 4), read => Assert.Equal("=new", Show(read)));
        }

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(held, Part("", "new"))).Kind);
    }

    /// <summary>A claim of a held key is reported as busy, and the other claims of its batch succeed.</summary>
    [Fact]
    public async Task Claim_of_a_key_that_something_holds_does_not_stop_the_others()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        var (keys, _) = await PutNeighborsAsync(store);
        var hold = await HoldKeyAsync(store, keys[4]);
        Assert.SkipWhen(hold is null, "The test class can't hold a key.");
        await using (hold)
        {
            var reads = await store.ClaimAsync(keys);
            Assert.Equal(ReadOutcomeKind.Busy, reads[4].Kind);
            Assert.All(reads.Where((_, i) => i != 4), read => Assert.Equal("=old", Show(read)));
        }

        Assert.Equal(1, (await store.ClaimAsync(keys[4])).Owner.Epoch);
    }

    /// <summary>A key whose writes the store refuses fails at each attempt. The other keys of its batch are written.</summary>
    [Fact]
    public async Task Key_that_the_store_refuses_fails_alone()
    {
        await using var store = await OpenAsync();
        var (keys, stamps) = await PutNeighborsAsync(store);
        Assert.SkipUnless(await RefuseKeyAsync(store, keys[4]), "The test class can't have the store refuse a key.");
        for (var round = 0; round < 2; round++)
        {
            var batch = UpdateOf(store, keys, stamps);
            await store.WriteAsync(batch);
            Assert.Equal(AllBut(4, WriteOutcomeKind.Committed, WriteOutcomeKind.Refused), KindsOf(batch));
            Assert.IsType<StoreException>(batch.OutcomeOf(4).Error);
            stamps = [.. stamps.Select((stamp, i) => i == 4 ? stamp : batch[i].Next)];
        }
    }

    /// <summary>A damaged key fails at each read. The other keys of its batch are read.</summary>
    [Fact]
    public async Task Key_that_can_not_be_decoded_fails_alone()
    {
        await using var store = await OpenAsync();
        var (keys, _) = await PutNeighborsAsync(store);
        Assert.SkipUnless(await DamageKeyAsync(store, keys[4]), "The test class can't damage a key.");
        for (var round = 0; round < 2; round++)
        {
            var reads = await store.ReadAsync(keys);
            Assert.Equal(ReadOutcomeKind.Refused, reads[4].Kind);
            Assert.Equal(StoreErrorKind.Corrupt, Assert.IsType<StoreException>(reads[4].Error).Kind);
            Assert.All(reads.Where((_, i) => i != 4), read => Assert.Equal("=old", Show(read)));
        }
    }

    private static async Task<(IReadOnlyList<string> Keys, IReadOnlyList<Stamp> Stamps)> PutNeighborsAsync(StoreClient store)
    {
        var keys = store.KeysTogether(Neighbors);
        var stamps = new List<Stamp>();
        foreach (var key in keys)
            stamps.Add(await store.PutAsync(key, Stamp.Absent, parts: [Part("", "old")]));
        return (keys, stamps);
    }

    private static WriteBatch UpdateOf(StoreClient store, IReadOnlyList<string> keys, IReadOnlyList<Stamp> stamps)
    {
        var batch = new WriteBatch();
        for (var i = 0; i < keys.Count; i++)
            store.Add(batch, store.NewWrite(keys[i], stamps[i]), Part("", "new"));
        return batch;
    }

    private static IEnumerable<WriteOutcomeKind> KindsOf(WriteBatch batch) => Enumerable.Range(0, batch.Count).Select(i => batch.OutcomeOf(i).Kind);

    private static IEnumerable<T> AllBut<T>(int index, T usual, T exception) => Enumerable.Range(0, Neighbors).Select(i => i == index ? exception : usual);
}

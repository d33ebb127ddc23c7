using static Stout.Testing.StoreClient;

using Stout.Storage;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>A claim changes only the stamp, and fences the old owner (promise 4).</summary>
    [Fact]
    public async Task Read_under_a_new_epoch_claims_the_key_and_keeps_its_parts()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        var old = await store.PutAsync("key", Stamp.Absent, epoch: 1, parts: [Part("", "self"), Part("a", "1")]);

        var read = await store.ReadAsync("key", epoch: 2);

        Assert.Equal((2, "=self a=1"), (read.Stamp.Epoch, Show(read)));
        var late = store.NewWrite("key", old, epoch: 1);
        Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(late, Part("", "late"))).Kind);
        await store.PutAsync("key", read.Stamp, epoch: 2, parts: [Part("a", "2")]);
        Assert.Equal("=self a=2", Show(await store.ReadAsync("key", epoch: 2)));
    }

    /// <summary>A lost claim would let the old owner write again (promises 1 and 4).</summary>
    [Fact]
    public async Task Claim_survives_closing_and_opening_again()
    {
        var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities is { Claims: true, Durable: true }, nameof(StorageCapabilities.Claims) + " that last");
        await store.PutAsync("key", Stamp.Absent, epoch: 1, parts: [Part("", "self")]);
        var claimed = await store.ReadAsync("key", epoch: 2);

        store = await ReopenAsync(store);

        Assert.Equal(ReadOutcomeKind.Fenced, (await store.ReadAsync("key", epoch: 1)).Kind);
        Assert.Equal(claimed.Stamp, (await store.ReadAsync("key", epoch: 2)).Stamp);
        await store.DisposeAsync();
    }

    /// <summary>A fenced reader has lost the key, and must not get its value (promise 4).</summary>
    [Fact]
    public async Task Reader_of_an_older_epoch_is_fenced()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        await store.PutAsync("key", Stamp.Absent, epoch: 3, parts: [Part("", "self")]);

        Assert.Equal(ReadOutcomeKind.Fenced, (await store.ReadAsync("key", epoch: 2)).Kind);
    }

    /// <summary>An absent key gets no row (promise 4).</summary>
    [Fact]
    public async Task Claim_of_an_absent_key_makes_no_key()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));

        Assert.True((await store.ReadAsync("key", epoch: 9)).Stamp.IsAbsent);

        await store.PutAsync("key", Stamp.Absent, epoch: 1, parts: [Part("", "the old owner may still create it")]);
    }

    /// <summary>A deleted header counts as existing (promise 4).</summary>
    [Fact]
    public async Task Deleted_key_is_claimed_and_fences_its_old_owner()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        var stamp = await store.PutAsync("key", Stamp.Absent, epoch: 1, parts: [Part("", "self")]);
        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Delete, epoch: 1);

        var read = await store.ReadAsync("key", epoch: 2);

        Assert.Equal((2, false), (read.Stamp.Epoch, read.Exists));
        var late = store.NewWrite("key", stamp, epoch: 1);
        Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(late, Part("", "late"))).Kind);
    }

    /// <summary>Claims compare the epoch and write the stamp in one step (promise 4).</summary>
    [Fact]
    public async Task Of_two_owners_that_claim_at_once_the_older_is_fenced_in_the_end()
    {
        await using var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        await store.PutAsync("key", Stamp.Absent, epoch: 1, parts: [Part("", "self")]);

        await Task.WhenAll(Enumerable.Range(2, 20).Select(epoch => store.ReadAsync("key", epoch)));

        Assert.Equal(21, (await store.ReadAsync("key", epoch: 21)).Stamp.Epoch);
        Assert.Equal(ReadOutcomeKind.Fenced, (await store.ReadAsync("key", epoch: 20)).Kind);
    }
}

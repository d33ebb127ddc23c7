using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>After a restore the store would give epochs a second time. The raised floor prevents it for new keys, and for keys with an owner.</summary>
    [Fact]
    public async Task Epochs_are_above_a_raised_floor_for_new_keys_and_for_owned_ones()
    {
        await using var store = await OpenRaisingAsync();
        var owned = await store.ClaimAsync("owned");
        var version = await store.PutAsync("owned", Stamp.Absent, owner: owned.Owner, parts: [Part("", "self")]);
        var kept = new KeyClaim(Guid.NewGuid());
        var keptOwner = (await store.ClaimAsync("kept", kept)).Owner;
        await store.ClaimAsync("absent");
        await store.PutAsync("unowned", Stamp.Absent, parts: [Part("", "free")]);

        await store.RaiseEpochFloorAsync(1_000);

        Assert.Equal(keptOwner, (await store.ClaimAsync("kept", kept)).Owner);
        foreach (var key in (string[])["owned", "kept", "absent", "unowned", "new", "new too"])
        {
            var first = (await store.ClaimAsync(key)).Owner.Epoch;
            Assert.InRange(first, 1_001, 2_000);
            Assert.Equal(first + 1, (await store.ClaimAsync(key)).Owner.Epoch);
        }

        Assert.Equal((version, "=self"), ((await store.ReadAsync("owned")).Version, Show(await store.ReadAsync("owned"))));
        Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(store.NewWrite("owned", version, owner: owned.Owner))).Kind);
    }

    /// <summary>A smaller epoch must not lower the floor: the option that raises it may stay set for many starts.</summary>
    [Fact]
    public async Task Floor_never_falls()
    {
        await using var store = await OpenRaisingAsync();
        await store.RaiseEpochFloorAsync(1_000);
        await store.RaiseEpochFloorAsync(1_000);
        await store.RaiseEpochFloorAsync(10);

        Assert.InRange((await store.ClaimAsync("key")).Owner.Epoch, 1_001, 2_000);

        await store.RaiseEpochFloorAsync(KeyClaim.MaxAtLeastEpoch);

        Assert.InRange((await store.ClaimAsync("key")).Owner.Epoch, KeyClaim.MaxAtLeastEpoch + 1, long.MaxValue);
    }

    /// <summary>The floor stays raised for clients that open the store later.</summary>
    [Fact]
    public async Task Raised_floor_survives_closing_and_opening_again()
    {
        var store = await OpenRaisingAsync();
        SkipUnless(store.Proxy.Capabilities.Durable, nameof(StorageCapabilities.Durable));
        await store.ClaimAsync("owned");
        await store.RaiseEpochFloorAsync(1_000);

        store = await ReopenAsync(store);

        foreach (var key in (string[])["owned", "new", "another"])
            Assert.InRange((await store.ClaimAsync(key)).Owner.Epoch, 1_001, 2_000);
        await store.DisposeAsync();
    }

    private async Task<StoreClient> OpenRaisingAsync()
    {
        var store = await OpenWithClaimsAsync();
        if (!store.Proxy.Capabilities.RaisesEpochs)
            await store.DisposeAsync();
        SkipUnless(store.Proxy.Capabilities.RaisesEpochs, nameof(StorageCapabilities.RaisesEpochs));
        return store;
    }
}

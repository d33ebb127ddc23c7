using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>A claim changes only the owner, and fences the old owner.</summary>
    [Fact]
    public async Task Claim_changes_the_owner_alone_and_fences_the_old_one()
    {
        await using var store = await OpenWithClaimsAsync();
        var old = await store.ClaimAsync("key");
        var version = await store.PutAsync("key", Stamp.Absent, owner: old.Owner, parts: [Part("", "self"), Part("a", "1")]);

        var read = await store.ClaimAsync("key");

        Assert.Equal((version, 2, "=self a=1"), (read.Version, read.Owner.Epoch, Show(read)));
        var late = await store.WriteAsync(store.NewWrite("key", version, owner: old.Owner), Part("", "late"));
        Assert.Equal((WriteOutcomeKind.Fenced, 2), (late.Kind, late.StoredEpoch));
        await store.PutAsync("key", version, owner: read.Owner, parts: [Part("a", "2")]);
        Assert.Equal("=self a=2", Show(await store.ReadAsync("key")));
    }

    /// <summary>A lost claim would let the old owner write again.</summary>
    [Fact]
    public async Task Claim_survives_closing_and_opening_again()
    {
        var store = await OpenAsync();
        SkipUnless(store.Proxy.Capabilities is { Claims: true, Durable: true }, nameof(StorageCapabilities.Claims) + " that last");
        var old = await store.ClaimAsync("key");
        var version = await store.PutAsync("key", Stamp.Absent, owner: old.Owner, parts: [Part("", "self")]);
        var claimed = await store.ClaimAsync("key");
        var absent = await store.ClaimAsync("absent");

        store = await ReopenAsync(store);

        Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(store.NewWrite("key", version, owner: old.Owner))).Kind);
        Assert.Equal(claimed.Header, (await store.ReadHeaderAsync("key")).Header);
        Assert.Equal(absent.Header, (await store.ReadHeaderAsync("absent")).Header);
        await store.PutAsync("key", version, owner: claimed.Owner);
        await store.PutAsync("absent", Stamp.Absent, owner: absent.Owner);
        await store.DisposeAsync();
    }

    /// <summary>A claim of an absent key is stored, since an old owner could create the key otherwise.</summary>
    [Fact]
    public async Task Absent_key_is_claimed_and_stays_absent()
    {
        await using var store = await OpenWithClaimsAsync();
        var first = await store.ClaimAsync("key");
        Assert.Equal((ReadOutcomeKind.Read, false, Stamp.Absent, 1), (first.Kind, first.Exists, first.Version, first.Owner.Epoch));

        var second = await store.ClaimAsync("key");

        Assert.Equal((false, Stamp.Absent, 2), (second.Exists, second.Version, second.Owner.Epoch));
        Assert.Equal((false, second.Header), await HeaderOfAsync(store, "key"));
        foreach (var other in new[] { first.Owner, KeyOwner.None })
            Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(store.NewWrite("key", Stamp.Absent, owner: other), Part("", "late"))).Kind);
        await store.PutAsync("key", Stamp.Absent, owner: second.Owner, parts: [Part("", "new")]);
        Assert.Equal("=new", Show(await store.ReadAsync("key")));
    }

    /// <summary>A deleted key can be claimed, too, and its old owner is fenced.</summary>
    [Fact]
    public async Task Deleted_key_is_claimed_and_fences_its_old_owner()
    {
        await using var store = await OpenWithClaimsAsync();
        var old = await store.ClaimAsync("key");
        var version = await store.PutAsync("key", Stamp.Absent, owner: old.Owner, parts: [Part("", "self")]);
        version = await store.PutAsync("key", version, KeyWriteKind.Delete, old.Owner);

        var read = await store.ClaimAsync("key");

        Assert.Equal((version, 2, false), (read.Version, read.Owner.Epoch, read.Exists));
        Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(store.NewWrite("key", version, owner: old.Owner), Part("", "late"))).Kind);
        await store.PutAsync("key", version, owner: read.Owner, parts: [Part("", "new")]);
        Assert.Equal("=new", Show(await store.ReadAsync("key")));
    }

    /// <summary>Every kind of write is refused if it names another owner than the stored one. No write changes the stored owner.</summary>
    [Theory]
    [InlineData(KeyWriteKind.Merge)]
    [InlineData(KeyWriteKind.Replace)]
    [InlineData(KeyWriteKind.Delete)]
    public async Task Write_names_the_owner_and_leaves_it(KeyWriteKind kind)
    {
        await using var store = await OpenWithClaimsAsync();
        var claimed = await store.ClaimAsync("key");
        var version = await store.PutAsync("key", Stamp.Absent, owner: claimed.Owner, parts: [Part("", "self"), Part("a", "1")]);
        foreach (var other in new[] { KeyOwner.None, claimed.Owner with { Epoch = 2 }, claimed.Owner with { Claim = Guid.NewGuid() } })
            Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(store.NewWrite("key", version, kind, other))).Kind);
        Assert.Equal((version, "=self a=1"), ((await store.ReadAsync("key")).Version, Show(await store.ReadAsync("key"))));

        version = await store.PutAsync("key", version, kind, claimed.Owner);

        Assert.Equal(new KeyHeader(version, claimed.Owner), (await store.ReadHeaderAsync("key")).Header);
    }

    /// <summary>
    /// A token holds the state of one version under one owner. It saves a comparison with the stored header only for a write that names the same owner.
    /// </summary>
    [Fact]
    public async Task Write_of_a_former_owner_is_fenced_even_with_the_token_of_the_present_one()
    {
        await using var store = await OpenWithClaimsAsync();
        var former = (await store.ClaimAsync("key")).Owner;
        var version = await store.PutAsync("key", Stamp.Absent, owner: former, parts: [Part("", "1")]);
        var present = await store.ClaimAsync("key");
        var batch = new WriteBatch();
        batch.Add(store.NewWrite("key", version, owner: former) with { ExpectedToken = present.Token }, [Part("", "2")]);

        await store.WriteAsync(batch);

        Assert.Equal(WriteOutcomeKind.Fenced, batch.OutcomeOf(0).Kind);
        var read = await store.ReadAsync("key");
        Assert.Equal(("=1", present.Owner), (Show(read), read.Owner));
    }

    /// <summary>The store compares the write's next version before the owner, so a repetition of an applied write succeeds even after a later claim.</summary>
    [Fact]
    public async Task Write_that_was_done_is_committed_also_under_a_later_owner()
    {
        await using var store = await OpenWithClaimsAsync();
        var old = await store.ClaimAsync("key");
        var write = store.NewWrite("key", Stamp.Absent, owner: old.Owner);
        await store.WriteAsync(write, Part("", "done"));
        var claimed = await store.ClaimAsync("key");

        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write, Part("", "done"))).Kind);
        Assert.Equal(claimed.Header, (await store.ReadHeaderAsync("key")).Header);
    }

    /// <summary>A repeated claim has its first epoch again. After another claim, a late repetition is a claim like any other, with a new epoch.</summary>
    [Fact]
    public async Task Claim_that_is_repeated_has_the_same_epoch_again()
    {
        await using var store = await OpenWithClaimsAsync();
        var claim = new KeyClaim(Guid.NewGuid());
        var first = await store.ClaimAsync("key", claim);
        var version = await store.PutAsync("key", Stamp.Absent, owner: first.Owner, parts: [Part("", "1")]);

        var again = await store.ClaimAsync("key", claim);

        Assert.Equal((first.Owner, version, "=1"), (again.Owner, again.Version, Show(again)));
        var other = await store.ClaimAsync("key");
        var late = await store.ClaimAsync("key", claim);
        Assert.Equal((first.Owner.Epoch + 1, first.Owner.Epoch + 2), (other.Owner.Epoch, late.Owner.Epoch));
        Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(store.NewWrite("key", version, owner: first.Owner))).Kind);
    }

    /// <summary>A claim can ask for a least epoch. The claim's epoch is at least that one, and larger than all epochs of the key before.</summary>
    [Fact]
    public async Task Claim_gets_at_least_the_epoch_that_it_asks_for_and_a_larger_one_than_any_before()
    {
        await using var store = await OpenWithClaimsAsync();

        Assert.Equal(7, (await store.ClaimAsync("key", new KeyClaim(Guid.NewGuid(), 7))).Owner.Epoch);
        Assert.Equal(8, (await store.ClaimAsync("key", new KeyClaim(Guid.NewGuid(), 3))).Owner.Epoch);
        Assert.Equal(KeyClaim.MaxAtLeastEpoch, (await store.ClaimAsync("key", new KeyClaim(Guid.NewGuid(), KeyClaim.MaxAtLeastEpoch))).Owner.Epoch);
        Assert.Equal(KeyClaim.MaxAtLeastEpoch + 1, (await store.ClaimAsync("key")).Owner.Epoch);
    }

    /// <summary>
    /// A claim with <see cref="KeyClaim.OnlyIf"/> succeeds only if the key has that header. Such a claim hands a key over to another owner, and reads no parts.
    /// </summary>
    [Fact]
    public async Task Claim_that_names_a_header_is_fenced_by_any_other_and_changes_nothing_then()
    {
        await using var store = await OpenWithClaimsAsync();
        var old = await store.ClaimAsync("key");
        var version = await store.PutAsync("key", Stamp.Absent, owner: old.Owner, parts: [Part("", "self")]);
        var present = new KeyHeader(version, old.Owner);
        foreach (var other in new[] { present with { Version = Stamp.Absent }, present with { Owner = KeyOwner.None }, default })
        {
            var refused = await store.ClaimAsync("key", new KeyClaim(Guid.NewGuid()) { OnlyIf = other });
            Assert.Equal((ReadOutcomeKind.Fenced, present), (refused.Kind, refused.Header));
        }

        var claim = new KeyClaim(Guid.NewGuid()) { OnlyIf = present };
        var taken = await store.ClaimAsync("key", claim);

        Assert.Equal((ReadOutcomeKind.Read, version, 2, true, 0), (taken.Kind, taken.Version, taken.Owner.Epoch, taken.Exists, taken.Parts.Count));
        Assert.Equal(taken.Header, (await store.ClaimAsync("key", claim)).Header);
        await store.PutAsync("key", version, owner: taken.Owner, parts: [Part("a", "1")]);
        Assert.Equal("=self a=1", Show(await store.ReadAsync("key")));
        var absent = await store.ClaimAsync("absent", new KeyClaim(Guid.NewGuid()) { OnlyIf = default(KeyHeader) });
        Assert.Equal((ReadOutcomeKind.Read, false, 1), (absent.Kind, absent.Exists, absent.Owner.Epoch));
    }

    /// <summary>After a reset, writers without a claim can write again, and the epochs continue from the last one.</summary>
    [Fact]
    public async Task Reset_lets_writers_without_a_claim_write_again_and_fences_the_owner()
    {
        await using var store = await OpenWithClaimsAsync();
        var reset = new KeyClaim(Guid.Empty);
        Assert.Equal(default, (await store.ClaimAsync("never claimed", reset)).Header);
        Assert.Equal(default, (await store.ReadHeaderAsync("never claimed")).Header);
        var old = await store.ClaimAsync("key");
        var version = await store.PutAsync("key", Stamp.Absent, owner: old.Owner, parts: [Part("", "1")]);

        var free = await store.ClaimAsync("key", reset);

        Assert.Equal((version, new KeyOwner(2), true), (free.Version, free.Owner, free.Exists));
        Assert.Equal(free.Header, (await store.ClaimAsync("key", reset)).Header);
        Assert.Equal(WriteOutcomeKind.Fenced, (await store.WriteAsync(store.NewWrite("key", version, owner: old.Owner))).Kind);
        await store.PutAsync("key", version, owner: free.Owner, parts: [Part("", "2")]);
        Assert.Equal(3, (await store.ClaimAsync("key")).Owner.Epoch);
    }

    /// <summary>Confirmed reads and tools read the owner of a key without claiming the key.</summary>
    [Fact]
    public async Task Peek_and_header_show_the_owner_and_change_nothing()
    {
        await using var store = await OpenWithClaimsAsync();
        Assert.Equal((false, default(KeyHeader)), await HeaderOfAsync(store, "key"));
        Assert.Equal(default, (await store.ReadAsync("key")).Header);
        var claimed = await store.ClaimAsync("key");
        Assert.Equal((false, claimed.Header), await HeaderOfAsync(store, "key"));
        var version = await store.PutAsync("key", Stamp.Absent, owner: claimed.Owner, parts: [Part("", "self"), Part("a", "1")]);
        var header = new KeyHeader(version, claimed.Owner);

        Assert.Equal((true, header), await HeaderOfAsync(store, "key"));
        Assert.Empty((await store.ReadHeaderAsync("key")).Parts);
        var read = await store.ReadAsync("key");
        Assert.Equal((header, "=self a=1"), (read.Header, Show(read)));
        version = await store.PutAsync("key", version, KeyWriteKind.Delete, claimed.Owner);
        Assert.Equal((false, new KeyHeader(version, claimed.Owner)), await HeaderOfAsync(store, "key"));
    }

    /// <summary>A claim reads and changes the owner in one step, so concurrent claims get different epochs.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Of_owners_that_claim_at_once_each_has_its_own_epoch_and_the_last_one_writes(bool exists)
    {
        await using var store = await OpenWithClaimsAsync();
        if (exists)
            await store.PutAsync("key", Stamp.Absent, parts: [Part("", "self")]);

        var claims = await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => Task.Run(() => store.ClaimAsync("key"), TestContext.Current.CancellationToken)));

        var made = claims.Where(claim => claim.Kind == ReadOutcomeKind.Read).ToList();
        Assert.NotEmpty(made);
        Assert.Distinct(made.Select(claim => claim.Owner.Epoch));
        var last = await store.ReadHeaderAsync("key");
        var writes = await Task.WhenAll(made.Select(claim => store.WriteAsync(store.NewWrite("key", last.Version, owner: claim.Owner), Part("", "x"))));
        for (var i = 0; i < made.Count; i++)
            Assert.Equal(made[i].Owner == last.Owner ? WriteOutcomeKind.Committed : WriteOutcomeKind.Fenced, writes[i].Kind);
    }

    /// <summary>A store makes the claims of a batch in key order, so that concurrent batches of the same keys can't block each other for ever.</summary>
    [Fact]
    public async Task Batches_of_claims_in_any_order_all_end()
    {
        await using var store = await OpenWithClaimsAsync();
        var keys = store.KeysTogether(20).ToArray();
        await Task.WhenAll(Enumerable.Range(0, 8).Select(seed => Task.Run(
            async () =>
            {
                var random = new Random(seed);
                for (var round = 0; round < 5; round++)
                {
                    var shuffled = keys.ToArray();
                    random.Shuffle(shuffled);
                    foreach (var outcome in await store.ClaimAsync(shuffled))
                        Assert.True(outcome.Kind is ReadOutcomeKind.Read or ReadOutcomeKind.Fenced or ReadOutcomeKind.Busy, $"{outcome.Kind}: {outcome.Error}");
                }
            },
            TestContext.Current.CancellationToken)));

        // Each key had at most 8 × 5 + 1 = 41 claims. The proxy may repeat a claim after another one, which raises the epoch again: at most 2 × 41 = 82.
        foreach (var outcome in await store.ClaimAsync(keys))
            Assert.True(outcome is { Kind: ReadOutcomeKind.Read, Owner.Epoch: > 1 and <= 82 }, $"{outcome.Kind} {outcome.Owner.Epoch}");
    }

    private static async Task<(bool Exists, KeyHeader Header)> HeaderOfAsync(StoreClient store, string key)
    {
        var read = await store.ReadHeaderAsync(key);
        Assert.True(read.Kind == ReadOutcomeKind.Read, $"{read.Kind}: {read.Error}");
        return (read.Exists, read.Header);
    }

    private async Task<StoreClient> OpenWithClaimsAsync()
    {
        var store = await OpenAsync();
        if (!store.Proxy.Capabilities.Claims)
            await store.DisposeAsync();
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        return store;
    }
}

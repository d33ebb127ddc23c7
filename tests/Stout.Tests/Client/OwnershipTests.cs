using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Client;

/// <summary>Ownership, in tests of several whole clients of one store.</summary>
public sealed class OwnershipTests
{
    private const int Patience = 30_000;

    private static readonly PartitionKey Key = new("a");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = Patience)]
    public async Task Write_of_an_older_owner_is_refused_once_a_newer_one_has_read()
    {
        var store = new InMemoryStore();
        await using var first = await Fixture.OpenAsync(store);
        await using var second = await Fixture.OpenAsync(store.Connect());
        var old = await first.Client.ClaimAsync(Key, cancellationToken: Token);
        await first.ChangeAsync(old, "old");

        var handle = await second.Client.ClaimAsync(Key, cancellationToken: Token);

        Assert.Equal("old", second.Application.Texts["a"]);
        Assert.Equal((1, 2), (old.Epoch, handle.Epoch));
        var fenced = await Assert.ThrowsAsync<FencedException>(() => first.ChangeAsync(old, "late"));
        Assert.Equal((2, true), (fenced.StoredEpoch, old.IsClosed));
        await second.ChangeAsync(handle, "new");
        Assert.Equal("new", Text(await first.Client.PeekAsync(Key, Token)));
    }

    [Fact(Timeout = Patience)]
    public async Task Epochs_are_raised_in_each_partition_before_the_first_claim_and_by_the_same_option_once()
    {
        var store = new InMemoryStore(partitions: 3);
        PartitionKey[] keys = [.. Enumerable.Range(0, 30).Select(i => new PartitionKey($"{i}"))];
        await using (var before = await Fixture.OpenAsync(store))
            Assert.Equal(1, (await before.Client.ClaimAsync(keys[0], cancellationToken: Token)).Epoch);

        for (var start = 1; start <= 3; start++)
        {
            await using var client = await Fixture.OpenAsync(store.Connect(), new StoutOptions { RaiseEpochsTo = start == 2 ? 10 : 1_000 });
            foreach (var key in keys)
                Assert.Equal(1_000 + start, (await client.Client.ClaimAsync(key, cancellationToken: Token)).Epoch);
        }
    }

    [Fact(Timeout = Patience)]
    public async Task Store_that_can_not_raise_epochs_is_not_opened_with_the_option()
    {
        var refused = await Assert.ThrowsAsync<StoreException>(() => Fixture.OpenAsync(new NoRaisingStore(), new StoutOptions { RaiseEpochsTo = 1 }));

        Assert.Equal(StoreErrorKind.Refused, refused.Kind);
        Assert.Contains(nameof(StoutOptions.RaiseEpochsTo), refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0L)]
    [InlineData(-1L)]
    [InlineData(KeyClaim.MaxAtLeastEpoch + 1)]
    public void Epochs_can_not_be_raised_to_a_number_beyond_the_range(long epoch) => Assert.Equal(
        nameof(StoutOptions.RaiseEpochsTo), Assert.Throws<InvalidOptionException>(new StoutOptions { RaiseEpochsTo = epoch }.Validate).Option);

    private sealed class NoRaisingStore : IStorageProxy
    {
        private readonly InMemoryStore _inner = new();

        public StorageCapabilities Capabilities => _inner.Capabilities with { RaisesEpochs = false };

        public StorageLimits Limits => _inner.Limits;

        public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) => _inner.OpenAsync(cancellationToken);

        public ValueTask DisposeAsync() => _inner.DisposeAsync();
    }

    [Fact(Timeout = Patience)]
    public async Task Absent_key_is_claimed_and_its_former_owner_can_not_create_it()
    {
        var store = new InMemoryStore();
        await using var first = await Fixture.OpenAsync(store);
        await using var second = await Fixture.OpenAsync(store.Connect());
        var old = await first.Client.ClaimAsync(Key, cancellationToken: Token);

        await second.Client.ClaimAsync(Key, atLeastEpoch: 40, Token);

        Assert.Equal(40, (await Assert.ThrowsAsync<FencedException>(() => first.ChangeAsync(old, "late"))).StoredEpoch);
        var peeked = await first.Client.PeekAsync(Key, Token);
        Assert.Equal((false, Stamp.Absent, 40), (peeked.Exists, peeked.Version, peeked.Owner.Epoch));
    }

    [Fact(Timeout = Patience)]
    public async Task Key_that_is_claimed_is_filled_without_a_claim_after_a_reset_alone()
    {
        var store = new InMemoryStore();
        await using var first = await Fixture.OpenAsync(store);
        await using var second = await Fixture.OpenAsync(store.Connect());
        var owner = await first.Client.ClaimAsync(Key, cancellationToken: Token);
        await first.ChangeAsync(owner, "text");
        Assert.Equal(1, (await Assert.ThrowsAsync<FencedException>(() => second.FillAsync("a"))).StoredEpoch);

        await second.Client.ResetOwnerAsync(Key, Token);

        var handle = await second.FillAsync("a");
        Assert.Equal(("text", new KeyOwner(2)), (second.Application.Texts["a"], handle.Owner));
        await second.ChangeAsync(handle, "free");
        await Assert.ThrowsAsync<FencedException>(() => first.ChangeAsync(owner, "late"));
        Assert.Equal(3, (await first.Client.ClaimAsync(Key, cancellationToken: Token)).Epoch);
    }

    [Fact(Timeout = Patience)]
    public async Task Key_moves_from_one_client_to_another_without_a_read()
    {
        var store = new InMemoryStore();
        await using var first = await Fixture.OpenAsync(store);
        await using var second = await Fixture.OpenAsync(store.Connect());
        var source = await first.Client.ClaimAsync(Key, cancellationToken: Token);
        first.Application.Change(source, "moved");

        await source.CloseWhenDrainedAsync(Token);
        var target = await second.Client.OpenAtAsync(Key, source.Owner, source.Version, Token);

        Assert.Equal((0, source.Version, 2), (second.Application.Deserialized, target.Version, target.Epoch));
        Assert.Throws<HandleClosedException>(() => source.MarkDirty());
        await second.ChangeAsync(target, "changed");
        Assert.Equal("changed", Text(await second.Client.PeekAsync(Key, Token)));
        await Assert.ThrowsAsync<FencedException>(() => first.Client.OpenAtAsync(Key, source.Owner, source.Version, Token).AsTask());
    }

    [Fact(Timeout = Patience)]
    public async Task Handle_whose_key_has_failed_hands_nothing_over()
    {
        var store = new InMemoryStore();
        await using var first = await Fixture.OpenAsync(store);
        await using var second = await Fixture.OpenAsync(store.Connect());
        var old = await first.Client.ClaimAsync(Key, cancellationToken: Token);
        await second.Client.ClaimAsync(Key, cancellationToken: Token);
        first.Application.Change(old, "late");

        await Assert.ThrowsAnyAsync<KeyException>(() => old.CloseWhenDrainedAsync(Token).AsTask());
        var again = await Assert.ThrowsAsync<HandleClosedException>(() => old.CloseWhenDrainedAsync(Token).AsTask());
        Assert.IsType<FencedException>(again.InnerException);
    }

    [Fact(Timeout = Patience)]
    public async Task Refresh_shows_what_the_store_holds_under_the_same_claim()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        var handle = await fixture.Client.ClaimAsync(Key, cancellationToken: Token);
        await fixture.ChangeAsync(handle, "stored");
        fixture.Application.Texts["a"] = "forgotten";

        var refreshed = await fixture.Client.RefreshAsync(handle, Token);

        Assert.Equal(("stored", handle.Owner, handle.Version), (fixture.Application.Texts["a"], refreshed.Owner, refreshed.Version));
        Assert.True(handle.IsClosed);
        await fixture.ChangeAsync(refreshed, "changed");
    }

    [Fact(Timeout = Patience)]
    public async Task Confirmed_read_is_answered_by_the_owner_alone()
    {
        var store = new InMemoryStore();
        await using var first = await Fixture.OpenAsync(store);
        await using var second = await Fixture.OpenAsync(store.Connect());
        var old = await first.Client.ClaimAsync(Key, cancellationToken: Token);
        await first.ChangeAsync(old, "old");
        await old.ConfirmAsync(Token);

        await second.Client.ClaimAsync(Key, cancellationToken: Token);

        await old.WhenSafeAsync(Token);
        Assert.Equal(2, (await Assert.ThrowsAsync<FencedException>(() => old.ConfirmAsync(Token).AsTask())).StoredEpoch);
        await Assert.ThrowsAsync<HandleClosedException>(() => old.ConfirmAsync(Token).AsTask());
    }

    [Fact(Timeout = Patience)]
    public async Task Confirmed_read_waits_for_what_it_has_seen()
    {
        var store = new HeldStore();
        await using var fixture = await Fixture.OpenAsync(store);
        var handle = await fixture.Client.ClaimAsync(Key, cancellationToken: Token);
        fixture.Application.Change(handle, "seen");
        var held = await store.NextWriteAsync();
        var confirmed = handle.ConfirmAsync(Token).AsTask();
        await fixture.Client.PeekAsync(Key, Token);
        Assert.False(confirmed.IsCompleted);

        held.Commit();

        await confirmed;
    }

    [Fact(Timeout = Patience)]
    public async Task Version_is_that_of_the_write_which_carried_the_change()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        var handle = await fixture.FillAsync("a");
        Assert.Equal(Stamp.Absent, await handle.VersionWhenSafeAsync(Token));
        var versions = new List<Stamp>();
        for (var i = 0; i < 5; i++)
        {
            fixture.Application.Change(handle, $"{i}");
            versions.Add(await handle.VersionWhenSafeAsync(Token));
            Assert.Equal(versions[^1], handle.Version);
        }

        Assert.Distinct(versions);
        Assert.Equal(versions[^1], (await fixture.Client.PeekAsync(Key, Token)).Version);
    }

    [Fact(Timeout = Patience)]
    public async Task Peek_opens_no_handle_and_claims_nothing()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());

        var peeked = await fixture.Client.PeekAsync(Key, Token);

        Assert.Equal((false, KeyOwner.None, 0, 0), (peeked.Exists, peeked.Owner, fixture.Client.GetStatistics().OpenKeys, fixture.Application.Deserialized));
    }

    [Fact(Timeout = Patience)]
    public async Task Epochs_out_of_range_and_stores_without_claims_are_told()
    {
        await using var fixture = await Fixture.OpenAsync(new InMemoryStore());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => fixture.Client.ClaimAsync(Key, -1, Token).AsTask());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => fixture.Client.ClaimAsync(Key, KeyClaim.MaxAtLeastEpoch + 1, Token).AsTask());
        await using var without = await Fixture.OpenAsync(new WithoutClaims());
        await Assert.ThrowsAsync<NotSupportedException>(() => without.Client.ClaimAsync(Key, cancellationToken: Token).AsTask());
        await Assert.ThrowsAsync<NotSupportedException>(() => without.Client.OpenAtAsync(Key, KeyOwner.None, Stamp.Absent, Token).AsTask());
        await Assert.ThrowsAsync<NotSupportedException>(() => without.Client.ResetOwnerAsync(Key, Token).AsTask());
    }

    private static string Text(PeekedKey peeked) => System.Text.Encoding.UTF8.GetString(peeked.Parts.Single().Value.Span);

    private sealed class WithoutClaims : IStorageProxy
    {
        private readonly InMemoryStore _store = new();

        public StorageCapabilities Capabilities => _store.Capabilities with { Claims = false };

        public StorageLimits Limits => _store.Limits;

        public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) => _store.OpenAsync(cancellationToken);

        public ValueTask DisposeAsync() => _store.DisposeAsync();
    }
}

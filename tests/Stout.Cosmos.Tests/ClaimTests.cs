using Microsoft.Extensions.Time.Testing;
using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

public sealed class ClaimTests
{
    /// <summary>
    /// A deletion gives the header a time to live. If it overtakes a claim that has read an object, the claim's epoch must not be in the expiring header alone.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Epoch_of_a_claim_that_a_deletion_overtakes_never_comes_again(bool wasClaimed)
    {
        var time = new FakeTimeProvider();
        var service = new StandInStore(time);
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(service, time));
        var old = wasClaimed ? (await store.ClaimAsync("key")).Owner : KeyOwner.None;
        var version = await store.PutAsync("key", Stamp.Absent, owner: old, parts: [Part("", "1")]);
        Task? deletion = null;
        service.OnTheWay = kind => kind == "patch" ? deletion ??= store.PutAsync("key", version, KeyWriteKind.Delete, old) : Task.CompletedTask;

        var claimed = await store.ClaimAsync("key", new KeyClaim(Guid.NewGuid(), 5));

        Assert.NotNull(deletion);
        Assert.False(claimed.Exists);
        time.Advance(store.Proxy.Limits.DeletedHeaderRetention!.Value);
        Assert.Equal(default, (await store.ReadHeaderAsync("key")).Header);
        foreach (var key in new[] { "key", "other" })
            Assert.True((await store.ClaimAsync(key)).Owner.Epoch > claimed.Owner.Epoch, "An epoch has begun again.");
    }

    [Fact]
    public async Task Claim_that_names_a_header_is_fenced_by_a_write_on_the_way()
    {
        var service = new StandInStore(new FakeTimeProvider());
        await using var store = await StoreClient.OpenAsync(StandInStorage.Connect(service, new FakeTimeProvider()));
        var version = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        Task<Stamp>? write = null;
        service.OnTheWay = kind => kind == "patch" ? write ??= store.PutAsync("key", version, parts: [Part("", "2")]) : Task.CompletedTask;

        var claim = await store.ClaimAsync("key", new KeyClaim(Guid.NewGuid()) { OnlyIf = new KeyHeader(version, KeyOwner.None) });

        Assert.Equal((ReadOutcomeKind.Fenced, new KeyHeader(await write!, KeyOwner.None)), (claim.Kind, claim.Header));
    }
}

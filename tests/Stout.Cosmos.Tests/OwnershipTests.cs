using Microsoft.Extensions.Time.Testing;
using Stout.Cosmos.Tests.StandIn;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

/// <summary>The token of a version holds the owner, and decides no write of another owner.</summary>
public sealed class OwnershipTests
{
    private readonly FakeTimeProvider _time = new();
    private readonly StandInStore _service;

    public OwnershipTests() => _service = new StandInStore(_time);

    [Fact]
    public async Task Repeated_write_that_had_been_applied_has_a_token_so_the_next_one_reads_nothing_before()
    {
        await using var store = await OpenAsync();
        _service.OnRequest = _ => new Trouble(IsApplied: true);
        var write = store.NewWrite("key", Stamp.Absent);
        Assert.Equal(WriteOutcomeKind.Unknown, (await store.WriteAsync(write, Part("", "1"))).Kind);
        _service.OnRequest = null;
        Assert.Equal(WriteOutcomeKind.Committed, (await store.WriteAsync(write, Part("", "1"))).Kind);
        _service.Requests.Clear();

        await store.PutAsync("key", write.Next, parts: [Part("", "2")]);

        Assert.Equal("replace", Assert.Single(_service.Requests).Kind);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public async Task Claim_that_a_later_one_overtakes_before_its_last_answer_is_fenced_and_not_repeated(int request)
    {
        await using var store = await OpenAsync();
        await store.PutAsync("key", Stamp.Absent, parts: [Part("a", "1"), Part("b", "1"), Part("c", "1")]);
        _service.PageSize = 1;
        var (isClaimed, requests) = (false, 0);
        Task<ReadOutcome>? later = null;
        // After the claim come four pages, and a last look at the header.
        _service.OnTheWay = kind =>
        {
            isClaimed |= kind == "patch";
            return isClaimed && kind != "patch" && ++requests == request ? later ??= store.ClaimAsync("key") : Task.CompletedTask;
        };

        var claim = await store.ClaimAsync("key");

        Assert.NotNull(later);
        var owner = (await later).Owner;
        Assert.Equal((ReadOutcomeKind.Fenced, owner), (claim.Kind, claim.Owner));
        Assert.Equal(owner, (await store.ReadHeaderAsync("key")).Owner);
    }

    [Fact]
    public async Task Epoch_never_comes_again_although_a_client_s_clock_is_slow()
    {
        var slow = new FakeTimeProvider();
        await using var store = await OpenAsync();
        await using var slowStore = await StoreClient.OpenAsync(StandInStorage.Connect(_service, slow));
        await slowStore.ClaimAsync("other");
        var epoch = (await store.ClaimAsync("key")).Owner.Epoch;
        var retention = store.Proxy.Limits.DeletedHeaderRetention!.Value;

        _time.Advance(retention);
        slow.Advance(retention / 2);
        Assert.Equal(default, (await store.ReadHeaderAsync("key")).Header);
        Assert.True((await slowStore.ClaimAsync("key")).Owner.Epoch > epoch, "An epoch has begun again.");
    }

    private Task<StoreClient> OpenAsync() => StoreClient.OpenAsync(StandInStorage.Connect(_service, _time));
}

using Microsoft.Extensions.Time.Testing;
using Orleans.Storage;
using Stout.Hosting;
using Stout.Orleans.Storage;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Tests.Duplicates;

/// <summary>Two owners of one state, as after a split of Orleans' directory or a silo's stall: the providers of two clusters on one store.</summary>
public abstract class DuplicateOwners
{
    private const int Count = 200;
    private const string ServiceId = "duplicates";

    [Theory]
    [InlineData(Found.Written)]
    [InlineData(Found.Absent)]
    [InlineData(Found.Swept)]
    public async Task Writes_of_the_older_owner_are_refused_once_the_newer_has_read(Found found)
    {
        await using var owners = await StartAsync(GrainOwnership.Claim);
        Assert.Equal((Count, 0), await DuplicateAsync(owners, found));
    }

    /// <summary>The store decides which owner is newer, independently of the clocks. For half of the states the newer owner's clock is behind.</summary>
    [Fact]
    public async Task Writes_of_the_older_owner_are_refused_whatever_the_silos_clocks_say()
    {
        await using var owners = await StartAsync(GrainOwnership.Claim, TimeSpan.FromHours(1));
        Assert.Equal((Count, 0), await DuplicateAsync(owners, Found.Written));
    }

    /// <summary>Shows that the tests above can fail: without claims, they find acknowledged writes that the newer owner does not see.</summary>
    [Fact]
    public async Task Without_claims_writes_that_the_newer_owner_does_not_see_are_acknowledged()
    {
        await using var owners = await StartAsync(GrainOwnership.None);
        var (refused, invisible) = await DuplicateAsync(owners, Found.Written);
        Assert.True(invisible >= 180, $"{refused} refused, {invisible} invisible");
    }

    [Fact]
    public async Task An_owner_that_was_fenced_stays_refused_until_it_reads_and_then_fences_the_other()
    {
        await using var owners = await StartAsync(GrainOwnership.Claim);
        var (older, newer) = owners.Of(0);
        var grain = GrainId.Create("player", "one");
        var first = new GrainState<TestState>(new TestState { Number = 1 });
        await older.WriteStateAsync("state", grain, first);
        var second = new GrainState<TestState>(new TestState());
        await newer.ReadStateAsync("state", grain, second);

        first.State = new TestState { Number = 2 };
        for (var i = 0; i < 2; i++)
        {
            var refused = await Assert.ThrowsAnyAsync<InconsistentStateException>(() => older.WriteStateAsync("state", grain, first));
            Assert.IsType<FencedException>(refused.InnerException);
            await Assert.ThrowsAnyAsync<InconsistentStateException>(() => older.ClearStateAsync("state", grain, first));
        }

        await older.ReadStateAsync("state", grain, first);
        Assert.Equal(1, first.State!.Number);
        first.State = new TestState { Number = 3 };
        await older.WriteStateAsync("state", grain, first);
        await Assert.ThrowsAnyAsync<InconsistentStateException>(() => newer.WriteStateAsync("state", grain, second));
        await newer.ReadStateAsync("state", grain, second);
        Assert.Equal(3, second.State!.Number);
    }

    /// <summary>The reason to skip the tests; null if the store is available.</summary>
    protected virtual string? Missing => null;

    /// <summary>Chooses the store. The owners of one test share it.</summary>
    protected abstract void UseStore(StoutBuilder stout);

    /// <summary>Another proxy of the store, with a clock that is more than a day ahead; null (the default) if the store never removes headers.</summary>
    protected virtual IStorageProxy? ConnectLater(TimeProvider time) => null;

    /// <summary>Makes all headers older, in a store whose server's clock decides how old they are. By default it does nothing.</summary>
    protected virtual Task AgeAsync() => Task.CompletedTask;

    private async Task<(int Refused, int Invisible)> DuplicateAsync(PairOfOwners owners, Found found)
    {
        var (refused, invisible) = (0, 0);
        var states = Enumerable.Range(0, Count).Select(_ => new GrainState<TestState>(new TestState { Number = 1 })).ToArray();
        await ForEachAsync((i, grain) => found == Found.Written
            ? owners.Of(i).Older.WriteStateAsync("state", grain, states[i])
            : owners.Of(i).Older.ReadStateAsync("state", grain, states[i]));
        if (found == Found.Swept)
            await SweepAsync();
        await ForEachAsync(async (i, grain) =>
        {
            var (older, newer) = owners.Of(i);
            var second = new GrainState<TestState>(new TestState());
            await newer.ReadStateAsync("state", grain, second);
            states[i].State = new TestState { Number = 2 };
            try
            {
                await older.WriteStateAsync("state", grain, states[i]);
                if (second.State!.Number != 2)
                    Interlocked.Increment(ref invisible);
            }
            catch (InconsistentStateException)
            {
                Interlocked.Increment(ref refused);
            }
        });

        return (refused, invisible);
    }

    private static Task ForEachAsync(Func<int, GrainId, Task> call) => Parallel.ForAsync(
        0,
        Count,
        new ParallelOptions { MaxDegreeOfParallelism = 16, CancellationToken = TestContext.Current.CancellationToken },
        async (i, _) => await call(i, GrainOf(i)));

    private static GrainId GrainOf(int i) => GrainId.Create("player", $"{i}");

    /// <summary>Has the store remove the headers of keys without an object.</summary>
    private async Task SweepAsync()
    {
        var time = new FakeTimeProvider(DateTimeOffset.UtcNow + TimeSpan.FromHours(25));
        if (ConnectLater(time) is not { } later)
        {
            Assert.Skip("The store never removes headers.");
            return;
        }

        await using var store = await StoreClient.OpenAsync(later);
        await AgeAsync();
        for (var i = 0; i < Count; i++)
        {
            var key = StateKeys.Of(ServiceId, "state", GrainOf(i)).Text;
            while ((await store.ReadHeaderAsync(key)).Header != default)
                time.Advance(new StoreSweepOptions().Interval);
        }
    }

    private Task<PairOfOwners> StartAsync(GrainOwnership ownership, TimeSpan secondIsAhead = default)
    {
        Assert.SkipWhen(Missing is not null, Missing ?? "");
        return PairOfOwners.StartAsync(ServiceId, UseStore, ownership, secondIsAhead);
    }
}

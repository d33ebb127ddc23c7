using Microsoft.Extensions.Time.Testing;
using Orleans.Storage;
using Stout.Hosting;
using Stout.Orleans.Storage;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Tests.Duplicates;

/// <summary>Two owners of one state, as after a split of Orleans' directory or a silo's stall: the grains of two clusters on one store.</summary>
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
        var first = await older.WriteAsync(1, null);
        var second = await newer.ReadAsync();

        for (var i = 0; i < 2; i++)
        {
            Assert.Equal([nameof(InconsistentStateException), nameof(FencedException)], (await older.WriteAsync(2, first.ETag)).Errors);
            Assert.Equal(nameof(InconsistentStateException), (await older.ClearAsync(first.ETag)).Errors[0]);
        }

        var again = await older.ReadAsync();
        Assert.Equal(1, again.Number);
        Assert.Empty((await older.WriteAsync(3, again.ETag)).Errors);
        Assert.Equal(nameof(InconsistentStateException), (await newer.WriteAsync(4, second.ETag)).Errors[0]);
        Assert.Equal(3, (await newer.ReadAsync()).Number);
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
        var etags = new string?[Count];
        await ForEachAsync(async i =>
            etags[i] = (await (found == Found.Written ? owners.Of(i).Older.WriteAsync(1, null) : owners.Of(i).Older.ReadAsync())).ETag);
        if (found == Found.Swept)
            await SweepAsync(owners);
        await ForEachAsync(async i =>
        {
            var (older, newer) = owners.Of(i);
            var second = await newer.ReadAsync();
            var changed = await older.WriteAsync(2, etags[i]);
            if (changed.Errors is [nameof(InconsistentStateException), ..])
                Interlocked.Increment(ref refused);
            else if (second.Number != 2)
                Interlocked.Increment(ref invisible);
        });

        return (refused, invisible);
    }

    private static Task ForEachAsync(Func<int, Task> call) => Parallel.ForAsync(
        0,
        Count,
        new ParallelOptions { MaxDegreeOfParallelism = 16, CancellationToken = TestContext.Current.CancellationToken },
        async (i, _) => await call(i));

    /// <summary>Has the store remove the headers of keys without an object.</summary>
    private async Task SweepAsync(PairOfOwners owners)
    {
        var time = new FakeTimeProvider(DateTimeOffset.UtcNow + TimeSpan.FromHours(25));
        if (ConnectLater(time) is not { } later)
        {
            Assert.Skip("The store never removes headers.");
            return;
        }

        await using var store = await StoreClient.OpenAsync(later);
        var type = owners.Of(0).Older.GetGrainId().Type;
        await AgeAsync();
        for (var i = 0; i < Count; i++)
        {
            var key = StateKeys.Of(ServiceId, "state", GrainId.Create(type, $"{i}")).Text;
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

using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Hosting;

namespace Stout.Orleans.Tests.Duplicates;

/// <summary>Two owners of one state, as a split directory or a stalled silo makes them: two providers on one store.</summary>
public abstract class DuplicateOwners
{
    private const int Count = 200;
    private static readonly string[] Owners = ["older", "newer"];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Writes_of_the_older_owner_are_refused_once_the_newer_has_read(bool absent)
    {
        var (refused, invisible) = await DuplicateAsync(GrainOwnership.Claim, absent);
        Assert.Equal((Count, 0), (refused, invisible));
    }

    /// <summary>Without claims the test above finds errors, so it can find them.</summary>
    [Fact]
    public async Task Without_claims_writes_that_the_newer_owner_does_not_see_are_acknowledged()
    {
        var (refused, invisible) = await DuplicateAsync(GrainOwnership.None, absent: false);
        Assert.True(invisible >= 180, $"{refused} refused, {invisible} invisible");
    }

    [Fact]
    public async Task An_owner_that_was_fenced_stays_refused_until_it_reads_and_then_fences_the_other()
    {
        await using var cluster = await StartAsync(GrainOwnership.Claim);
        var (older, newer) = (cluster.StorageOf("older"), cluster.StorageOf("newer"));
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

    /// <summary>Why the store can't be had; null if it can.</summary>
    protected virtual string? Missing => null;

    /// <summary>Chooses the store. The providers of one test share it.</summary>
    protected abstract void UseStore(StoutBuilder stout);

    private async Task<(int Refused, int Invisible)> DuplicateAsync(GrainOwnership ownership, bool absent)
    {
        await using var cluster = await StartAsync(ownership);
        var (older, newer) = (cluster.StorageOf("older"), cluster.StorageOf("newer"));
        var (refused, invisible) = (0, 0);
        await Parallel.ForAsync(0, Count, new ParallelOptions { MaxDegreeOfParallelism = 16, CancellationToken = TestContext.Current.CancellationToken }, async (i, _) =>
        {
            var grain = GrainId.Create("player", $"{i}");
            var first = new GrainState<TestState>(new TestState { Number = 1 });
            if (absent)
                await older.ReadStateAsync("state", grain, first);
            else
                await older.WriteStateAsync("state", grain, first);
            var second = new GrainState<TestState>(new TestState());
            await newer.ReadStateAsync("state", grain, second);
            first.State = new TestState { Number = 2 };
            try
            {
                await older.WriteStateAsync("state", grain, first);
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

    private Task<InProcessTestCluster> StartAsync(GrainOwnership ownership)
    {
        Assert.SkipWhen(Missing is not null, Missing ?? "");
        return TestCluster.StartAsync(1, silo =>
        {
            foreach (var name in Owners)
                silo.AddStoutGrainStorage(name, UseStore, (StoutGrainStorageOptions options) => options.Ownership = ownership);
        });
    }
}

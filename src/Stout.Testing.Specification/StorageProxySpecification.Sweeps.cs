using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    // The number of checks between two steps of the fake clock. With too few, the calls of a sweep would exceed their time limits, which the same clock
    // measures.
    private const int LooksForEachInterval = 1_000;

    private const int LooksAtWhatStays = 50;

    /// <summary>
    /// The number of checks for a sweep's result before a test fails. Each check is a round trip to the store, or a turn of the thread pool. Default:
    /// 1,000,000.
    /// </summary>
    protected virtual int MostLooks => 1_000_000;

    /// <summary>Whether an idle store removes dead rows before the interval has passed. Default: false.</summary>
    protected virtual bool SweepsAtOnce => false;

    /// <summary>Creates a proxy as <see cref="Connect"/> does, with these sweeping options. Null (the default) skips the tests of sweeping.</summary>
    /// <param name="time">The proxy's clock.</param>
    /// <param name="sweeping">The options.</param>
    protected virtual IStorageProxy? ConnectSweeping(TimeProvider time, StoreSweepOptions sweeping) => null;

    /// <summary>Counts the stored headers and parts, including dead ones. Null (the default) skips the test of dead rows.</summary>
    protected virtual Task<int?> CountRowsAsync() => Task.FromResult<int?>(null);

    /// <summary>Ages headers. By default it advances <see cref="Time"/>; a store with its own clock has to change the times in its headers.</summary>
    /// <param name="time">The age to add.</param>
    protected virtual Task AgeAsync(TimeSpan time)
    {
        Time.Advance(time);
        return Task.CompletedTask;
    }

    /// <summary>
    /// Makes every sweep of the open store fail, or succeed again, while writes succeed: for instance by a trigger that refuses the sweep's deletions. False
    /// (the default) skips the test of failing sweeps.
    /// </summary>
    /// <param name="fails">Whether sweeps fail from now on.</param>
    protected virtual Task<bool> FailSweepsAsync(bool fails) => Task.FromResult(false);

    /// <summary>
    /// A failing sweep is a failing job of <see cref="IStorePartition.BackgroundJobs"/> until a sweep succeeds. Meanwhile writes are committed and do not
    /// wait.
    /// </summary>
    [Fact]
    public async Task Failing_sweep_is_a_failing_job_until_one_succeeds_and_writes_go_on()
    {
        const int Parts = KnownParts.MaxCount + 20;
        var sweeping = new StoreSweepOptions { Interval = TimeSpan.FromMinutes(10), BatchSize = 7 };
        await using var store = await OpenSweepingAsync(sweeping);
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [.. Enumerable.Range(0, Parts).Select(i => Part($"{i}", "x"))]);
        Assert.SkipUnless(await FailSweepsAsync(true), "The test class can't make sweeps fail.");
        Assert.All(store.BackgroundJobs, static job => Assert.Null(job.Failure));

        stamp = await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("a", "new")]);
        await UntilAsync(sweeping, async () => (await JobsAsync(store)).Any(static job => job.Failure is not null));
        Assert.Contains(store.BackgroundJobs, static job => job is { Name: "sweep", Failures: > 0 });
        for (var i = 0; i < 10; i++)
            stamp = await store.PutAsync("key", stamp, parts: [Part("a", $"{i}")]);

        Assert.True(await FailSweepsAsync(false));
        await UntilAsync(sweeping, async () => (await JobsAsync(store)).All(static job => job.Failure is null));
        if (await CountRowsAsync() is not null)
            await UntilAsync(sweeping, async () => await CountRowsAsync() == 2);
        Assert.Equal("a=9", Show(await store.ReadAsync("key")));
    }

    /// <summary>
    /// A sweep begins after <see cref="StoreSweepOptions.Interval"/>, and removes all dead rows in batches of <see cref="StoreSweepOptions.BatchSize"/>.
    /// </summary>
    [Theory]
    [InlineData(null)]
    [InlineData(1)]
    [InlineData(7)]
    public async Task Dead_rows_go_at_the_interval_in_batches_of_any_size(int? batchSize)
    {
        const int Parts = KnownParts.MaxCount + 20;
        var sweeping = new StoreSweepOptions { Interval = TimeSpan.FromMinutes(10), BatchSize = batchSize };
        await using var store = await OpenSweepingAsync(sweeping);
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [.. Enumerable.Range(0, Parts).Select(i => Part($"{i}", "x"))]);
        Assert.SkipWhen(await CountRowsAsync() is null, "The test class can't count rows.");
        await store.PutAsync("key", stamp, KeyWriteKind.Replace, parts: [Part("a", "new")]);

        if (!SweepsAtOnce)
        {
            Time.Advance(sweeping.Interval - TimeSpan.FromSeconds(1));
            for (var look = 0; look < LooksAtWhatStays; look++)
                Assert.Equal(Parts + 2, await LookAsync(CountRowsAsync));
        }

        await UntilAsync(sweeping, async () => await CountRowsAsync() == 2);
        Assert.Equal("a=new", Show(await store.ReadAsync("key")));
    }

    /// <summary>A deleted header is removed after <see cref="StoreSweepOptions.Retention"/>, and not before.</summary>
    [Fact]
    public async Task Deleted_header_goes_when_its_retention_is_over()
    {
        var sweeping = new StoreSweepOptions { Interval = TimeSpan.FromMinutes(1), Retention = TimeSpan.FromHours(3) };
        await using var store = await OpenSweepingAsync(sweeping);
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [Part("", "1")]);
        var deleted = await store.PutAsync("key", stamp, KeyWriteKind.Delete);
        Assert.Equal(sweeping.Retention, store.Proxy.Limits.DeletedHeaderRetention);

        await AgeAsync(sweeping.Retention - (2 * sweeping.Interval));
        Time.Advance(sweeping.Interval);
        for (var look = 0; look < LooksAtWhatStays; look++)
            Assert.Equal(deleted, await LookAsync(async () => (await store.ReadAsync("key")).Version));

        await AgeAsync(2 * sweeping.Interval);
        await UntilAsync(sweeping, async () => (await store.ReadAsync("key")).Version.IsAbsent);
    }

    /// <summary>
    /// Before a header is removed, the least epoch of future claims (the epoch floor) is raised. So the header's owner never commits again, and no epoch is
    /// given twice.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Owner_whose_header_was_swept_is_fenced_and_the_next_epoch_is_larger(bool wasWritten)
    {
        var sweeping = new StoreSweepOptions { Interval = TimeSpan.FromMinutes(1), Retention = TimeSpan.FromHours(3) };
        await using var store = await OpenSweepingAsync(sweeping);
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        var keys = store.KeysTogether(2);
        var (key, other) = (keys[0], keys[1]);
        var old = await store.ClaimAsync(key, new KeyClaim(Guid.NewGuid(), 5));
        var version = Stamp.Absent;
        if (wasWritten)
        {
            version = await store.PutAsync(key, version, owner: old.Owner, parts: [Part("", "1")]);
            version = await store.PutAsync(key, version, KeyWriteKind.Delete, old.Owner);
        }

        await AgeAsync(sweeping.Retention - (2 * sweeping.Interval));
        Time.Advance(sweeping.Interval);
        for (var look = 0; look < LooksAtWhatStays; look++)
            Assert.Equal(new KeyHeader(version, old.Owner), await LookAsync(async () => (await store.ReadHeaderAsync(key)).Header));
        await AgeAsync(2 * sweeping.Interval);
        await UntilAsync(sweeping, async () => (await store.ReadHeaderAsync(key)).Header == default);

        foreach (var expected in new[] { version, Stamp.Absent })
        {
            var late = await store.WriteAsync(store.NewWrite(key, expected, owner: old.Owner), Part("", "late"));
            Assert.Equal((WriteOutcomeKind.Fenced, 0), (late.Kind, late.StoredEpoch));
        }

        Assert.True((await store.ClaimAsync(key)).Owner.Epoch > old.Owner.Epoch, "An epoch has begun again.");
        Assert.True((await store.ClaimAsync(other)).Owner.Epoch > old.Owner.Epoch, "The epoch floor has not been raised.");
    }

    /// <summary>A claim of a key without an object starts the header's retention anew, since this header fences the previous owner.</summary>
    [Fact]
    public async Task Claim_of_a_key_without_an_object_keeps_its_header_for_the_whole_retention()
    {
        var sweeping = new StoreSweepOptions { Interval = TimeSpan.FromMinutes(1), Retention = TimeSpan.FromHours(3) };
        await using var store = await OpenSweepingAsync(sweeping);
        SkipUnless(store.Proxy.Capabilities.Claims, nameof(StorageCapabilities.Claims));
        var deleted = await store.PutAsync("deleted", Stamp.Absent, KeyWriteKind.Delete);
        await store.ClaimAsync("absent");
        await AgeAsync(sweeping.Retention - (10 * sweeping.Interval));

        var claims = new[] { await store.ClaimAsync("deleted"), await store.ClaimAsync("absent") };

        await AgeAsync(20 * sweeping.Interval);
        Time.Advance(sweeping.Interval);
        for (var look = 0; look < LooksAtWhatStays; look++)
        {
            Assert.Equal(claims[0].Header, await LookAsync(async () => (await store.ReadHeaderAsync("deleted")).Header));
            Assert.Equal(claims[1].Header, await LookAsync(async () => (await store.ReadHeaderAsync("absent")).Header));
        }

        Assert.Equal(deleted, claims[0].Version);
    }

    private async Task<StoreClient> OpenSweepingAsync(StoreSweepOptions sweeping)
    {
        var proxy = ConnectSweeping(Time, sweeping);
        Assert.SkipWhen(proxy is null, "The test class makes no store with options of sweeping.");
        return await StoreClient.OpenAsync(proxy);
    }

    private async Task UntilAsync(StoreSweepOptions sweeping, Func<Task<bool>> isDone)
    {
        for (var look = 0; look < MostLooks; look++)
        {
            if (look % LooksForEachInterval == 0)
                Time.Advance(sweeping.Interval);
            if (await LookAsync(isDone))
                return;
        }

        Assert.Fail($"The sweeper has not done what it had to: {await CountRowsAsync()} rows.");
    }

    // With a round trip for each look, the store has time to answer a sweep between two steps of the clock. That clock measures the sweep's time limits, too.
    private static async Task<IEnumerable<BackgroundJob>> JobsAsync(StoreClient store)
    {
        await store.ReadHeaderAsync("key");
        return store.BackgroundJobs;
    }

    private static async Task<T> LookAsync<T>(Func<Task<T>> look)
    {
        await Task.Run(static () => { }, TestContext.Current.CancellationToken);
        return await look();
    }
}

using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    // A sweep has to get ahead between two steps of the clock, by which calls have their time limits.
    private const int LooksForEachInterval = 1_000;

    private const int LooksAtWhatStays = 50;

    /// <summary>
    /// How often a test looks for what a sweep does beside it, before it fails. Each look is a round trip to the store, or a turn of the
    /// thread pool. Default: 1,000,000.
    /// </summary>
    protected virtual int MostLooks => 1_000_000;

    /// <summary>
    /// Whether the store also removes dead rows before the interval has passed, as soon as it has nothing else to do. False is the default.
    /// </summary>
    protected virtual bool SweepsAtOnce => false;

    /// <summary>
    /// Makes a proxy as <see cref="Connect"/> does, with these options of sweeping. Null (the default) skips the tests of them.
    /// </summary>
    /// <param name="time">The time that the proxy has to go by.</param>
    /// <param name="sweeping">The options.</param>
    protected virtual IStorageProxy? ConnectSweeping(TimeProvider time, StoreSweepOptions sweeping) => null;

    /// <summary>Counts the headers and the parts that the store holds, dead ones too. Null (the default) skips the test of dead rows.</summary>
    protected virtual Task<int?> CountRowsAsync() => Task.FromResult<int?>(null);

    /// <summary>
    /// Lets headers grow older. By default <see cref="Time"/> goes on; a store that keeps headers by a clock of its own has to change their times.
    /// </summary>
    /// <param name="time">By how much.</param>
    protected virtual Task AgeAsync(TimeSpan time)
    {
        Time.Advance(time);
        return Task.CompletedTask;
    }

    /// <summary><see cref="StoreSweepOptions.Interval"/>, and <see cref="StoreSweepOptions.BatchSize"/>: a sweep goes on after a batch.</summary>
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

    /// <summary><see cref="StoreSweepOptions.Retention"/>: a deleted header goes when it is over, and not before.</summary>
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
            Assert.Equal(deleted, await LookAsync(async () => (await store.ReadAsync("key")).Stamp));

        await AgeAsync(2 * sweeping.Interval);
        await UntilAsync(sweeping, async () => (await store.ReadAsync("key")).Stamp.IsAbsent);
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

        Assert.Fail($"The sweeper has not removed what it had to: {await CountRowsAsync()} rows.");
    }

    private static async Task<T> LookAsync<T>(Func<Task<T>> look)
    {
        await Task.Run(static () => { }, TestContext.Current.CancellationToken);
        return await look();
    }
}

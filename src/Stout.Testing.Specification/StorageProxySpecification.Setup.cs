using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    /// <summary>
    /// Changes the closed store to the state after an interrupted set-up: no partition is ready, and the last of several partitions has no identity. False
    /// (the default) skips the test of interrupted set-ups.
    /// </summary>
    protected virtual Task<bool> BreakSetUpAsync() => Task.FromResult(false);

    /// <summary>The next set-up completes one that was interrupted at any moment.</summary>
    [Fact]
    public async Task Set_up_that_ended_half_way_is_finished()
    {
        await (await OpenAsync()).DisposeAsync();
        Assert.SkipUnless(await BreakSetUpAsync(), "The test class can't break a set-up.");

        await using (var store = await OpenAsync())
            await CheckSameSetAsync(store, store);
        await using var again = await OpenAsync();
        Assert.True(again.Partitions > 0);
    }

    /// <summary>
    /// Clients that set up an empty store at once create one set of partitions. If only one client can open the store, the others find it locked.
    /// </summary>
    [Fact]
    public async Task Set_ups_at_once_make_one_set()
    {
        var openings = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(TryOpenAsync, TestContext.Current.CancellationToken)));
        var stores = openings.OfType<StoreClient>().ToList();

        Assert.NotEmpty(stores);
        Assert.True(!stores[0].Proxy.Capabilities.Shared || stores.Count == openings.Length, "A client could not open a store that can be shared.");
        foreach (var store in stores)
            await CheckSameSetAsync(stores[0], store);
        foreach (var store in stores)
            await store.DisposeAsync();
        await using var later = await StoreClient.OpenAsync(Connect(Time), stores[0]);
        Assert.Equal(stores[0].Partitions, later.Partitions);
    }

    /// <summary>Checks that the reader sees the writer's writes in each partition.</summary>
    private static async Task CheckSameSetAsync(StoreClient writer, StoreClient reader)
    {
        for (var partition = 0; partition < writer.Partitions; partition++)
        {
            var key = Enumerable.Range(0, int.MaxValue).Select(i => $"set {i}").First(key => writer.PartitionOf(new PartitionKey(key)) == partition);
            await writer.PutAsync(key, (await writer.ReadAsync(key)).Version, parts: [Part("", $"{partition}")]);
            Assert.Equal($"={partition}", Show(await reader.ReadAsync(key)));
        }
    }

    /// <returns>The client; null if the store is locked.</returns>
    private async Task<StoreClient?> TryOpenAsync()
    {
        var proxy = Connect(Time);
        try
        {
            return await StoreClient.OpenAsync(proxy);
        }
        catch (StoreException error) when (error.Kind == StoreErrorKind.Locked && !proxy.Capabilities.Shared)
        {
            await proxy.DisposeAsync();
            return null;
        }
    }
}

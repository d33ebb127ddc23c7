using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Hosting.Tests;

/// <summary>Containers that are disposed synchronously. Run alone, since tests block the thread pool.</summary>
[Collection(nameof(Alone))]
public sealed class BlockingDisposalTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Container_that_is_disposed_synchronously_drains(bool isStarted)
    {
        await using var data = new InMemoryStore();
        var provider = Services(data.Connect());
        if (isStarted)
            await StartAsync(provider);
        var change = isStarted ? await BeginChangeAsync(provider) : Task.CompletedTask;
        provider.Dispose();
        await change;
        Assert.Equal(isStarted ? "kept" : null, await ReadAsync(data));
    }

    [Fact]
    public async Task Base_layer_is_disposed_synchronously_too()
    {
        var services = new ServiceCollection();
        services.AddStoutClient<NoObjects>().UseInMemory();
        var provider = services.BuildServiceProvider();
        await StartAsync(provider);
        provider.Dispose();
        Assert.Throws<ObjectDisposedException>(() => provider.GetService<StoutClient>());
    }

    [Fact]
    public async Task Drain_does_not_wait_for_threads_of_the_pool_that_are_blocked()
    {
        await using var data = new InMemoryStore();
        var store = new FaultyStore(data.Connect());
        var provider = Services(store);
        await StartAsync(provider);
        using var hold = store.Hold(requests: HeldRequests.Writes);
        ThreadPool.GetMinThreads(out var threads, out _);
        var documents = provider.GetRequiredService<DocumentStore>();
        var change = provider.GetRequiredService<DocumentCollection<string>>().SetAsync("a", "kept", Token).AsTask();
        await hold.WaitUntilHeldAsync(1, Token);

        var disposed = BlockedPool.OnOwnThread(() =>
        {
            using var pool = new BlockedPool();
            hold.Release();
            provider.Dispose();
            // The caller of the change may still wait for the blocked pool.
            return documents.GetStatistics().DirtyKeys == 0;
        });
        Assert.True(await disposed);
        await change;
        Assert.Equal("kept", await ReadAsync(data));
        ThreadPool.GetMinThreads(out var afterwards, out _);
        Assert.Equal(threads, afterwards);
    }

    [Fact]
    public async Task Store_that_is_silent_and_never_closes_bounds_the_disposal()
    {
        var store = new NeverClosing(new FaultyStore(new InMemoryStore()));
        var documents = await DocumentStore.OpenAsync(store, cancellationToken: Token);
        using var hold = store.Faulty.Hold(requests: HeldRequests.Writes);
        var change = documents.GetCollection<string>("notes").SetAsync("a", "sent", Token).AsTask();
        await hold.WaitUntilHeldAsync(1, Token);
        await BlockedPool.OnOwnThread(() =>
        {
            BlockingDisposal.Run(documents.StopAsync, documents.DisposeAsync, TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(1));
            return true;
        });
        await Assert.ThrowsAsync<OutcomeUnknownException>(() => change);
        Assert.True(store.IsClosing.Task.IsCompleted || !hold.IsReleased);
    }

    [Fact]
    public void Failure_to_close_reaches_the_caller() => Assert.Throws<StoreException>(static () =>
        BlockingDisposal.Run(static _ => Task.CompletedTask, static () => ValueTask.FromException(new StoreException(StoreErrorKind.Full, "")), TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(1)));

    private static ServiceProvider Services(IStorageProxy store)
    {
        var services = new ServiceCollection();
        services.AddStout(HostTests.AtOnce).UseStore(_ => store).AddCollection<string>("notes");
        return services.BuildServiceProvider();
    }

    private static async Task StartAsync(ServiceProvider provider)
    {
        foreach (var service in provider.GetServices<IHostedService>())
            await service.StartAsync(Token);
    }

    /// <summary>Begins a change of an object that is in memory, so that the change is accepted when this method returns.</summary>
    private static async Task<Task> BeginChangeAsync(ServiceProvider provider)
    {
        var notes = provider.GetRequiredService<DocumentCollection<string>>();
        await notes.GetAsync("a", Token);
        return notes.SetAsync("a", "kept", Token).AsTask();
    }

    private static async Task<string?> ReadAsync(InMemoryStore data)
    {
        await using var reader = await DocumentStore.OpenAsync(data.Connect(), cancellationToken: Token);
        return await reader.GetCollection<string>("notes").GetAsync("a", Token);
    }

    private sealed class NoObjects : IStoutApplication
    {
        public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => default;

        public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) => default;
    }

    private sealed class NeverClosing(FaultyStore inner) : IStorageProxy
    {
        public FaultyStore Faulty => inner;

        public TaskCompletionSource IsClosing { get; } = new();

        public StorageCapabilities Capabilities => inner.Capabilities;

        public StorageLimits Limits => inner.Limits;

        public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) => inner.OpenAsync(cancellationToken);

        public ValueTask DisposeAsync()
        {
            IsClosing.TrySetResult();
            return new ValueTask(new TaskCompletionSource().Task);
        }
    }
}

/// <summary>Tests that never run at the same time as others.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;

using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.Storage;
using Orleans.TestingHost;
using Stout.Orleans.Storage;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Tests;

/// <summary>
/// One silo with Orleans' default options, on a clock that the test puts forward and a store that it takes down. The client has the system's clock: it fails
/// with Orleans' own time-out if the silo does not answer.
/// </summary>
internal sealed class DeadStoreCluster : IAsyncDisposable
{
    /// <summary>0.8 of Orleans' default response time-out.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(24);

    // Only a failing test waits that long.
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(1);

    private readonly JumpingTime _time = new();
    private InProcessTestCluster? _cluster;

    private DeadStoreCluster()
    {
    }

    public FaultyStore Store { get; } = new(new InMemoryStore());

    public Gate Gate { get; } = new();

    public IGrainFactory Client => _cluster!.Client;

    public IGrainStorage Storage => _cluster!.StorageOf("Default");

    public IServiceProvider Silo => _cluster!.Silos[0].ServiceProvider;

    /// <summary>The keys that are open, in the client and in the table of the provider.</summary>
    public long OpenKeys => _cluster!.ClientOf("Default").GetStatistics().OpenKeys + ((StoutGrainStorage)Storage).SharedKeys;

    /// <summary>Starts the cluster.</summary>
    /// <param name="configure">Adds to the silo.</param>
    /// <param name="options">Sets options of the provider.</param>
    public static async Task<DeadStoreCluster> StartAsync(Action<ISiloBuilder>? configure = null, Action<StoutGrainStorageOptions>? options = null)
    {
        var cluster = new DeadStoreCluster();
        cluster._cluster = await TestCluster.StartAsync(1, silo =>
        {
            silo.Services.AddSingleton<TimeProvider>(cluster._time);
            silo.Services.AddSingleton(cluster.Gate);
            silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => cluster.Store), options ?? (static _ => { }));
            configure?.Invoke(silo);
        });
        return cluster;
    }

    public ICounterGrain Counter(string key = "a") => Client.GetGrain<ICounterGrain>(key);

    public ICartGrain Cart<T>(string key = "a")
        where T : ICartGrain => Client.GetGrain<ICartGrain>(key, typeof(T).FullName);

    /// <summary>Takes the store down.</summary>
    /// <param name="isSilent">Whether requests stay without an answer; otherwise they are refused as unreachable.</param>
    /// <returns>Completes when the first request has come.</returns>
    public Task TakeDown(bool isSilent)
    {
        if (isSilent)
            return Silence(HeldRequests.All);
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Store.KeyScript = _ =>
        {
            reached.TrySetResult();
            return StoreFault.Unreachable;
        };
        return reached.Task.WaitAsync(Hang);
    }

    /// <summary>Leaves requests without an answer.</summary>
    /// <returns>Completes when the first request has come.</returns>
    public Task Silence(HeldRequests requests) => Store.Hold(HoldPoint.BeforeStore, requests).WaitUntilHeldAsync().WaitAsync(Hang);

    /// <summary>Lets held requests and all later ones through.</summary>
    public void Recover()
    {
        Store.KeyScript = null;
        Store.Release();
    }

    /// <summary>Selects the key of one state.</summary>
    public Func<PartitionKey, bool> IsKeyOf(string stateName, IAddressable grain)
    {
        var key = StateKeys.Of(_cluster!.Options.ServiceId, stateName, grain.GetGrainId());
        return one => one == key;
    }

    /// <summary>Completes when a wait of this time has begun.</summary>
    public Task WhenWaiting(TimeSpan time) => _time.WhenWaiting(time).WaitAsync(Hang);

    /// <summary>Puts the clock forward.</summary>
    public void Jump(TimeSpan by) => _time.Jump(by);

    /// <summary>Checks that a call fails when the limit passes, and not before. The call has begun to wait.</summary>
    public async Task<T> FailsAtTheLimitAsync<T>(Task call)
        where T : Exception
    {
        Jump(Limit / 2);
        Assert.False(call.IsCompleted);
        Jump(Limit / 2);
        return await Assert.ThrowsAnyAsync<T>(() => call);
    }

    public async ValueTask DisposeAsync()
    {
        Recover();
        await _cluster!.DisposeAsync();
    }
}

using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime.Placement;
using Orleans.TestingHost;
using Stout.Orleans.HandOver;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Tests.Stops;

/// <summary>Silos on one store, of which the last one stops. The calls come from the first silo.</summary>
internal sealed class StoppingCluster : IAsyncDisposable
{
    /// <summary>Half of the time that the test host has for a stop.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(15);

    // Only a failing test waits that long.
    private static readonly TimeSpan Hang = TimeSpan.FromMinutes(1);

    private static readonly string[] ClocksOfOrleans =
    [
        "Orleans.Grains", "Orleans.Messaging", "Orleans.SystemTimers", "Orleans.Membership", "Orleans.ActivationManagement", "Orleans.GrainDirectory",
    ];

    private readonly InMemoryStore _store = new();
    private InProcessTestCluster? _cluster;
    private Action<ISiloBuilder> _configure = null!;
    private Action<ISiloBuilder> _configureOthers = null!;

    private StoppingCluster()
    {
    }

    public Gate Gate { get; } = new();

    /// <summary>The clock of the silo that stops.</summary>
    public JumpingTime Time { get; } = new();

    public InProcessSiloHandle Stopping { get; private set; } = null!;

    public IReadOnlyList<InProcessSiloHandle> Silos => _cluster!.Silos;

    /// <summary>The faults of the stopping silo's store.</summary>
    public FaultyStore Store { get; private set; } = null!;

    /// <summary>The grains as the first silo calls them.</summary>
    public IGrainFactory Grains => Silos[0].ServiceProvider.GetRequiredService<IGrainFactory>();

    /// <summary>Starts the silos.</summary>
    /// <param name="others">The number of silos that stay.</param>
    /// <param name="configureOthers">Adds to the silos that stay; null for the hand-over with default options.</param>
    /// <param name="configureStopping">Adds to the silo that stops; null for the hand-over with default options.</param>
    public static async Task<StoppingCluster> StartAsync(short others, Action<ISiloBuilder>? configureOthers = null, Action<ISiloBuilder>? configureStopping = null)
    {
        var cluster = new StoppingCluster();
        cluster._configure = cluster._configureOthers = configureOthers ?? HandOver;
        cluster._cluster = await TestCluster.StartAsync(others, silo =>
        {
            var faults = new FaultyStore(cluster._store.Connect());
            silo.Services.AddSingleton(_ => faults);
            silo.Services.AddSingleton(cluster.Gate);
            silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => faults));
            cluster._configure(silo);
        });
        cluster._configure = silo =>
        {
            foreach (var clock in ClocksOfOrleans)
                silo.Services.AddKeyedSingleton(clock, TimeProvider.System);
            silo.Services.AddSingleton<TimeProvider>(cluster.Time);
            (configureStopping ?? HandOver)(silo);
        };
        cluster.Stopping = await cluster._cluster.StartAdditionalSiloAsync();
        cluster.Store = cluster.Stopping.ServiceProvider.GetRequiredService<FaultyStore>();
        await cluster._cluster.WaitForLivenessToStabilizeAsync();
        await cluster._cluster.WaitForClusterManifestToStabilizeAsync();
        return cluster;
    }

    /// <summary>Starts another silo that stays.</summary>
    public Task StartAnotherAsync()
    {
        _configure = _configureOthers;
        return _cluster!.StartAdditionalSiloAsync();
    }

    /// <summary>Activates a grain on the silo that stops.</summary>
    public async Task<T> OnStoppingAsync<T>(string key, Func<T, Task> call, Type? grainClass = null)
        where T : IGrainWithStringKey
    {
        RequestContext.Set(IPlacementDirector.PlacementHintKey, Stopping.SiloAddress);
        var grain = grainClass is null ? Grains.GetGrain<T>(key) : Grains.GetGrain<T>(key, grainClass.FullName);
        try
        {
            await call(grain);
        }
        finally
        {
            RequestContext.Clear();
        }

        Assert.Equal(Stopping.SiloAddress, SiloOf(grain));
        return grain;
    }

    /// <summary>Begins a call on the stopping silo that ends when the test opens the gate. Until then the hand-over goes on.</summary>
    /// <param name="writes">Whether the grain has written before.</param>
    public async Task<(ICartGrain Grain, Task Call)> CallEndlesslyAsync(bool writes = true)
    {
        var endless = await OnStoppingAsync<ICartGrain>("endless", grain => writes ? grain.AddAsync("item") : grain.ItemsAsync(), typeof(CartGrain));
        var reached = Gate.Reached;
        var call = endless.PassGateAsync();
        await reached;
        return (endless, call);
    }

    /// <summary>The silo that has the grain; null if it is not active.</summary>
    public SiloAddress? SiloOf(IAddressable grain) => _cluster!.TryGetGrainContext(grain.GetGrainId(), out var context) ? context.Address.SiloAddress : null;

    public Task StopAsync() => _cluster!.StopSiloAsync(Stopping).WaitAsync(Hang);

    /// <summary>Begins a stop, and completes when the hand-over has begun.</summary>
    /// <param name="limit">The limit of the hand-over; null for <see cref="Limit"/>.</param>
    /// <returns>The stop.</returns>
    public async Task<Task> BeginStopAsync(TimeSpan? limit = null)
    {
        var begun = Time.WhenWaiting(limit ?? Limit);
        var stopping = StopAsync();
        await begun.WaitAsync(Hang);
        return stopping;
    }

    /// <summary>Waits until all silos know that the stopping one takes no more grains.</summary>
    public Task WhenClosedAsync() => UntilAsync(silo => silo.ServiceProvider.GetRequiredService<Cordon>().IsClosed(Stopping.SiloAddress));

    /// <summary>Waits until all silos know that another one is dead.</summary>
    public Task WhenDeadAsync(SiloAddress dead) => UntilAsync(silo => silo.ServiceProvider.GetRequiredService<ISiloStatusOracle>().IsDeadSilo(dead));

    /// <summary>Stops another silo, and waits until it has stopped.</summary>
    public Task StopAsync(InProcessSiloHandle silo) => _cluster!.StopSiloAsync(silo).WaitAsync(Hang);

    public Task KillAsync(InProcessSiloHandle silo) => _cluster!.KillSiloAsync(silo);

    /// <summary>Waits until a grain has left the silo that stops.</summary>
    public Task WhenLeftAsync(IAddressable grain) =>
        Stopping.ServiceProvider.GetRequiredService<HandOverMembers>().All.SingleOrDefault(member => member.Context.GrainId == grain.GetGrainId()) is { } member
            ? member.Context.Deactivated.WaitAsync(Hang)
            : Task.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        Store.Release();
        // A test that fails leaves calls at the gate.
        Gate.Open();
        await _cluster!.DisposeAsync();
    }

    private async Task UntilAsync(Func<InProcessSiloHandle, bool> isSo)
    {
        using var limit = new CancellationTokenSource(Hang);
        while (!Silos.All(isSo))
        {
            limit.Token.ThrowIfCancellationRequested();
            await Task.Yield();
        }
    }

    private static void HandOver(ISiloBuilder silo) => silo.AddStoutHandOver();
}

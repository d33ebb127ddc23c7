using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.TestingHost;
using Stout.Orleans.Chaos.Faults;
using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Load;
using Stout.Orleans.Chaos.Silos;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Orleans.Chaos.Tests;

/// <summary>Two clusters in this process on one store in memory.</summary>
internal sealed class ClusterInTest : ChaosCluster
{
    private readonly InMemoryStore _store = new();
    private readonly InProcessTestCluster _first;
    private readonly InProcessTestCluster _second;
    private readonly PlantedBug _bug;
    private readonly SiloInTest[] _silos;
    private readonly SiloInTest _other;
    private readonly ConcurrentDictionary<string, FaultyStore> _ways = [];
    private int _seed;

    public ClusterInTest(int seed, PlantedBug bug = PlantedBug.None)
    {
        (_seed, _bug) = (seed, bug);
        (_first, _second) = (Build("first"), Build("second"));
        _silos = [.. Enumerable.Range(0, 3).Select(_ => new SiloInTest(_first, silo => _ways["first" + silo]))];
        _other = new SiloInTest(_second, silo => _ways["second" + silo]);
    }

    /// <inheritdoc/>
    public override IReadOnlyList<ChaosSilo> Silos => _silos;

    /// <inheritdoc/>
    public override ChaosSilo Other => _other;

    /// <inheritdoc/>
    public override async Task StartAsync()
    {
        foreach (var silo in All)
            await silo.StartAsync();
    }

    /// <inheritdoc/>
    public override IStorageProxy Connect() => _store.Connect();

    /// <inheritdoc/>
    public override IEnumerable<Fault> FaultsOfItsOwn(FaultScene scene) => [new("store in trouble", 4, () => TroubleAsync(scene))];

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        await _first.DisposeAsync();
        await _second.DisposeAsync();
        await _store.DisposeAsync();
    }

    /// <summary>For a while, requests of one silo to the store are lost, late, repeated or refused.</summary>
    private static async Task TroubleAsync(FaultScene scene)
    {
        var store = ((SiloInTest)scene.AnySilo()).Store;
        var before = store.Options;
        store.Options = before with
        {
            Requests = new FaultRates { LostRequest = 0.05, LostAnswer = 0.1, Repeated = 0.1, Late = 0.1, Overloaded = 0.05, Unreachable = 0.05 },
            Keys = new FaultRates { Busy = 0.05, LostAnswer = 0.05, LostRequest = 0.05 },
        };
        await scene.GoOnAsync(0.3);
        store.Options = before;
    }

    private InProcessTestCluster Build(string cluster)
    {
        var builder = new InProcessTestClusterBuilder(0);
        builder.Options.ConfigureFileLogging = false;
        builder.Options.ServiceId = SiloSetup.ServiceId;
        builder.ConfigureSilo((options, silo) =>
        {
            var number = Interlocked.Increment(ref _seed);
            SiloSetup.Configure(
                silo,
                new DriftingTime(),
                stout => stout.UseStore(_ => _ways[cluster + options.SiloName] = new FaultyStore(_store.Connect(), new FaultyStoreOptions { Seed = number })),
                handsOver: number % 3 > 0 && _bug != PlantedBug.SkipsDrain,
                _bug);
            // A silo fails to join if its gossip to a killed silo takes too long. So the silos read the membership table often instead.
            silo.Services.Configure<ClusterMembershipOptions>(static options => (options.UseLivenessGossip, options.TableRefreshTimeout) = (false, TimeSpan.FromSeconds(1)));
        });
        return builder.Build();
    }
}

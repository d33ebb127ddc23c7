using System.Globalization;
using Orleans.Hosting;
using Orleans.TestingHost;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;

namespace Stout.Orleans.Tests;

/// <summary>The keys of states are open while their grains are active, and are closed when the activations end.</summary>
[Collection(nameof(Alone))]
public sealed class LifecycleTests
{
    private const string Default = "Default";

    /// <summary>
    /// A key that stayed open would take at least 400 bytes. Orleans' test host keeps about 200 bytes of each activation with any storage. So the limit is 350
    /// bytes, or 150 more than with Orleans' storage in memory. The heap of the tests before may shrink meanwhile, so one of the two suffices.
    /// </summary>
    [Fact]
    public async Task Open_keys_and_memory_are_back_to_the_base_after_10000_activations_come_and_go()
    {
        var stout = await GrowthAsync(
            static silo => silo.AddStoutGrainStorageAsDefault(static stout => stout.UseInMemory()),
            static (cluster, open) => Assert.Equal(open, cluster.ClientOf(Default).GetStatistics().OpenKeys));
        var memory = await GrowthAsync(static silo => silo.AddMemoryGrainStorageAsDefault(), static (_, _) => { });
        Assert.True(stout < 350 || stout - memory < 150, $"{stout} bytes for each activation, and {memory} with Orleans' storage in memory");
    }

    [Fact]
    public async Task Saves_of_OnDeactivateAsync_are_kept_when_a_silo_stops()
    {
        var store = new InMemoryStore();
        await using var cluster = await TestCluster.StartAsync(2, silo => silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => store.Connect())));
        var grains = Enumerable.Range(0, 400).Select(i => cluster.Client.GetGrain<ICounterGrain>($"{i}")).ToList();
        await ForEachAsync(grains, grain => grain.SaveAtTheEndAsync(Number(grain)));
        await cluster.StopSiloAsync(cluster.Silos[1], TestContext.Current.CancellationToken);
        var kept = 0;
        await ForEachAsync(grains, async grain =>
        {
            // Grains on the remaining silo have their number only in memory, and save it when they are deactivated.
            await grain.DeactivateAsync();
            if (await grain.RereadAsync() == Number(grain))
                Interlocked.Increment(ref kept);
        });
        Assert.Equal(400, kept);
    }

    [Fact]
    public async Task An_activation_after_another_goes_on_from_what_that_has_written()
    {
        await using var cluster = await TestCluster.StartAsync(1, static silo => silo.AddStoutGrainStorageAsDefault(static stout => stout.UseInMemory()));
        var grain = cluster.Client.GetGrain<ICounterGrain>("one");
        for (var i = 1; i <= 5; i++)
        {
            Assert.Equal(i, await grain.AddAsync(1));
            await cluster.DeactivateAsync(grain);
        }

        await grain.ClearAsync();
        await cluster.DeactivateAsync(grain);
        Assert.Equal(0, await grain.ReadAsync());
    }

    private static int Number(ICounterGrain grain) => 1_000 + int.Parse(grain.GetPrimaryKeyString(), CultureInfo.InvariantCulture);

    /// <summary>The number of bytes by which the heap grows with each activation that comes and goes.</summary>
    private static async Task<long> GrowthAsync(Action<ISiloBuilder> configure, Action<InProcessTestCluster, long> check)
    {
        const int Activations = 10_000;
        await using var cluster = await TestCluster.StartAsync(1, configure);
        var memory = new long[3];
        for (var round = 0; round < memory.Length; round++)
        {
            var grains = Enumerable.Range(0, Activations).Select(i => cluster.Client.GetGrain<ICounterGrain>($"{i}")).ToList();
            await ForEachAsync(grains, grain => grain.AddAsync(1));
            check(cluster, Activations);
            await ForEachAsync(grains, cluster.DeactivateAsync);
            check(cluster, 0);
            memory[round] = GC.GetTotalMemory(forceFullCollection: true);
        }

        // The first round fills pools and the store, so its growth does not count.
        return (memory[^1] - memory[0]) / (memory.Length - 1) / Activations;
    }

    private static Task ForEachAsync(List<ICounterGrain> grains, Func<ICounterGrain, Task> call) =>
        Parallel.ForEachAsync(grains, new ParallelOptions { MaxDegreeOfParallelism = 64, CancellationToken = TestContext.Current.CancellationToken }, async (grain, _) => await call(grain));
}

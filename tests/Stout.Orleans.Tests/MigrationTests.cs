using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.TestingHost;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;

namespace Stout.Orleans.Tests;

/// <summary>Grains that move between silos while they are called.</summary>
[Collection(nameof(Alone))]
public sealed class MigrationTests
{
    [Fact]
    public async Task Migrations_under_load_fail_no_call_and_lose_no_write()
    {
        const int Grains = 10;
        const int MigrationsOfEach = 10;
        await using var cluster = await StartAsync();
        var moved = 0;
        await Parallel.ForAsync(0, Grains, new ParallelOptions { MaxDegreeOfParallelism = Grains }, async (i, _) =>
        {
            var (counter, cart) = (cluster.Client.GetGrain<ICounterGrain>($"{i}"), cluster.Client.GetGrain<ICartGrain>($"{i}"));
            var written = 0;
            var moving = MoveAsync();
            do
            {
                Assert.Equal(++written, await counter.AddAsync(1));
                Assert.Equal(written, await cart.AddAsync("item"));
            }
            while (!moving.IsCompleted);
            await moving;
            Assert.Equal(written, await counter.RereadAsync());
            await cluster.DeactivateAsync(cart);
            Assert.Equal(written, (await cart.ItemsAsync()).Count);

            async Task MoveAsync()
            {
                for (var migration = 0; migration < MigrationsOfEach; migration++)
                {
                    await MigrationTests.MoveAsync(cluster, counter, counter.ReadAsync);
                    await MigrationTests.MoveAsync(cluster, cart, cart.ItemsAsync);
                    Interlocked.Add(ref moved, 2);
                }
            }
        });
        Assert.Equal(2 * Grains * MigrationsOfEach, moved);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Idle_grains_migrate_and_ones_that_never_wrote(bool hasWritten)
    {
        await using var cluster = await StartAsync();
        using var counters = new Counters();
        for (var i = 0; i < 20; i++)
        {
            var (counter, cart) = (cluster.Client.GetGrain<ICounterGrain>($"{hasWritten}{i}"), cluster.Client.GetGrain<ICartGrain>($"{hasWritten}{i}"));
            var before = hasWritten ? 1 : 0;
            Assert.Equal(before, hasWritten ? await counter.AddAsync(1) : await counter.ReadAsync());
            Assert.Equal(before, hasWritten ? await cart.AddAsync("first") : (await cart.ItemsAsync()).Count);
            for (var move = 0; move < 2; move++)
            {
                await MoveAsync(cluster, counter, counter.ReadAsync);
                await MoveAsync(cluster, cart, cart.ItemsAsync);
                Assert.Equal(before, await counter.ReadAsync());
                Assert.Equal(before, (await cart.ItemsAsync()).Count);
            }

            Assert.Equal(before + 1, await counter.AddAsync(1));
            Assert.Equal(before + 1, await cart.AddAsync("second"));
        }

        // Each grain claimed its key once. The cart's key was reopened after both moves; the counter's key only after the last move, for the write.
        Assert.Equal((2 * 20, 3 * 20), (counters[StoutOrleansMeter.Claims], counters[StoutOrleansMeter.Resumes]));
    }

    /// <summary>Moves a grain to the other one of the two silos.</summary>
    private static async Task MoveAsync(InProcessTestCluster cluster, IAddressable grain, Func<Task> call)
    {
        // After an answer, the grain is active on a silo.
        await call();
        Assert.True(cluster.TryGetGrainContext(grain.GetGrainId(), out var context));
        await cluster.MigrateAsync(grain, cluster.Silos.First(silo => !silo.SiloAddress.Equals(context.Address.SiloAddress)).SiloAddress);
    }

    private static Task<InProcessTestCluster> StartAsync()
    {
        var store = new InMemoryStore();
        return TestCluster.StartAsync(2, silo =>
        {
            silo.AddStoutGrainStorageAsDefault(stout => stout.UseStore(_ => store.Connect()));

            // By default Orleans rejects a call that it has forwarded twice. These grains move back and forth without a pause, so a call may be forwarded more
            // often before it reaches its grain.
            silo.Configure<SiloMessagingOptions>(messaging => messaging.MaxForwardCount = 100);
        });
    }
}

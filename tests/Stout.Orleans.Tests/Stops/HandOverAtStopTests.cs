using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Hosting;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.HandOver;
using Stout.Orleans.Tests.Grains;
using Stout.Testing;

namespace Stout.Orleans.Tests.Stops;

/// <summary>The hand-over of a silo that stops.</summary>
[Collection(nameof(Alone))]
public sealed class HandOverAtStopTests
{
    private static readonly CancellationToken Cancel = TestContext.Current.CancellationToken;

    [Fact]
    public async Task Grains_leave_a_stopping_silo_under_load_without_a_failed_call_or_a_claim()
    {
        const int Grains = 100;
        await using var cluster = await StoppingCluster.StartAsync(others: 2);
        var (counters, carts) = (new ICounterGrain[Grains], new ICartGrain[Grains]);
        for (var i = 0; i < Grains; i++)
        {
            counters[i] = await cluster.OnStoppingAsync<ICounterGrain>($"{i}", static grain => grain.AddAsync(1));
            carts[i] = await cluster.OnStoppingAsync<ICartGrain>($"{i}", static grain => grain.AddAsync("item"), typeof(CartGrain));
        }

        var written = Enumerable.Repeat(1, Grains).ToArray();
        using var counts = new Counters();
        var stopping = cluster.StopAsync();
        await Parallel.ForAsync(0, 16, Cancel, async (caller, _) =>
        {
            do
            {
                for (var i = caller; i < Grains; i += 16)
                    await CallAsync(i);
            }
            while (!stopping.IsCompleted);
        });
        await stopping;
        for (var i = 0; i < Grains; i++)
            await CallAsync(i);
        Assert.Equal((2 * Grains, 0, 0), counts.HandOvers);
        Assert.Equal((0, 2 * Grains), (counts[StoutOrleansMeter.Claims], counts[StoutOrleansMeter.Resumes]));

        async Task CallAsync(int grain)
        {
            written[grain]++;
            Assert.Equal(written[grain], await counters[grain].AddAsync(1));
            Assert.Equal(written[grain], await carts[grain].AddAsync("item"));
        }
    }

    [Fact]
    public async Task A_call_that_never_ends_is_let_go_and_keeps_no_other_grain()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1);
        var other = await cluster.OnStoppingAsync<ICounterGrain>("other", grain => grain.AddAsync(1));
        var (endless, call) = await cluster.CallEndlesslyAsync();
        using var counts = new Counters();
        var stopping = await cluster.BeginStopAsync();
        await cluster.WhenLeftAsync(other);
        Assert.Equal(2, await other.AddAsync(1));
        Assert.False(stopping.IsCompleted);
        var ended = counts.WhenCounted($"{StoutOrleansMeter.HandOvers}:let_go");
        cluster.Time.Jump(StoppingCluster.Limit);
        await ended;
        Assert.Equal((1, 1, 0), counts.HandOvers);
        cluster.Gate.Open();
        await call;
        await stopping;
        Assert.Equal(["item"], await endless.ItemsAsync());
    }

    /// <summary>The counter is sent after the other grain, whose activation waits for the counter.</summary>
    [Fact]
    public async Task A_grain_whose_activation_calls_another_leaving_grain_is_answered()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1);
        var relying = await cluster.OnStoppingAsync<IRelyingGrain>("a", static grain => grain.WriteAsync());
        var counter = await cluster.OnStoppingAsync<ICounterGrain>("a", static grain => grain.AddAsync(1));
        var hold = cluster.Store.Hold(HoldPoint.BeforeStore, HeldRequests.Writes);
        var write = counter.AddAsync(1);
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
        using var counts = new Counters();
        var activating = cluster.Gate.Reached;
        var stopping = await cluster.BeginStopAsync();
        await activating;
        var number = relying.NumberAsync();
        var sent = cluster.Time.WhenWaiting(HandOverMember.SentLimit);
        hold.Release();
        Assert.Equal(2, await write);
        await sent;
        cluster.Gate.Open();
        cluster.Time.Jump(HandOverMember.SentLimit);
        Assert.Equal(2, await number);
        await stopping;
        Assert.Equal((2, 0, 0), counts.HandOvers);
        Assert.Equal(3, await counter.AddAsync(1));
    }

    [Fact]
    public async Task Large_grains_leave_too()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1);
        var large = new string('x', 10 << 20);
        var carts = new List<ICartGrain>();
        for (var i = 0; i < 3; i++)
            carts.Add(await cluster.OnStoppingAsync<ICartGrain>($"{i}", grain => grain.AddAsync(large), typeof(CartGrain)));
        using var counts = new Counters();
        await cluster.StopAsync();
        Assert.Equal((3, 0, 0), counts.HandOvers);
        foreach (var cart in carts)
            Assert.Equal(large, Assert.Single(await cart.ItemsAsync()));
        Assert.Equal(0, counts[StoutOrleansMeter.Claims]);
    }

    [Fact]
    public async Task A_host_without_a_limit_for_its_stop_hands_its_grains_over_too()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1, configureStopping: static silo => silo.AddStoutHandOver().Services
            .PostConfigure<HostOptions>(static host => host.ShutdownTimeout = Timeout.InfiniteTimeSpan));
        await cluster.OnStoppingAsync<ICounterGrain>("a", static grain => grain.AddAsync(1));
        using var counts = new Counters();
        await await cluster.BeginStopAsync();
        Assert.Equal((1, 0, 0), counts.HandOvers);
    }

    [Fact]
    public async Task A_silo_that_takes_the_grains_and_dies_loses_nothing()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 2);
        var grains = new List<ICounterGrain>();
        for (var i = 0; i < 20; i++)
            grains.Add(await cluster.OnStoppingAsync<ICounterGrain>($"{i}", grain => grain.AddAsync(1)));
        await cluster.StopAsync();
        await cluster.KillAsync(cluster.Silos[1]);
        foreach (var grain in grains)
            Assert.Equal(2, await grain.AddAsync(1));
    }

    /// <summary>The grains that the dying silo has not taken stop cold, and the next activations claim and read them.</summary>
    [Fact]
    public async Task A_silo_that_dies_while_it_takes_grains_loses_nothing()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 2, Spread, Spread);
        var carts = new List<ICartGrain>();
        for (var i = 0; i < 20; i++)
            carts.Add(await cluster.OnStoppingAsync<ICartGrain>($"{i}", static grain => grain.AddAsync("item"), typeof(CartGrain)));
        var dying = cluster.Silos[1];
        var hold = dying.ServiceProvider.GetRequiredService<FaultyStore>().Hold(HoldPoint.BeforeStore, HeldRequests.Reads);
        var stopping = await cluster.BeginStopAsync();
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
        await cluster.KillAsync(dying);
        hold.Release();
        await stopping;
        foreach (var cart in carts)
            Assert.Equal(2, await cart.AddAsync("item"));

        static void Spread(ISiloBuilder silo) => silo.AddStoutHandOver().Services.AddSingleton<PlacementStrategy, RandomPlacement>();
    }

    [Fact]
    public async Task A_grain_whose_write_stalls_is_let_go_and_its_write_is_kept()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1);
        var stalled = await cluster.OnStoppingAsync<ICounterGrain>("stalled", grain => grain.AddAsync(1));
        var idle = await cluster.OnStoppingAsync<ICounterGrain>("idle", grain => grain.AddAsync(1));
        var hold = cluster.Store.Hold(HoldPoint.BeforeStore, HeldRequests.Writes);
        var write = stalled.AddAsync(1);
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);

        using var counts = new Counters();
        var stopping = await cluster.BeginStopAsync();
        await cluster.WhenLeftAsync(idle);
        var ended = counts.WhenCounted($"{StoutOrleansMeter.HandOvers}:let_go");
        cluster.Time.Jump(StoppingCluster.Limit);
        await ended;
        Assert.Equal((1, 1, 0), counts.HandOvers);
        hold.Release();
        Assert.Equal(2, await write);
        await stopping;
        Assert.Equal(2, await stalled.ReadAsync());
        Assert.Equal(1, await idle.ReadAsync());
    }

    /// <summary>The memory of the grain is ahead of the store, so the next activation reads the store.</summary>
    [Fact]
    public async Task A_grain_whose_last_write_has_an_unknown_outcome_is_not_handed_over()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1);
        var grain = await cluster.OnStoppingAsync<IStubbornCounterGrain>("a", grain => grain.TryAddAsync(1));
        var hold = cluster.Store.Hold(HoldPoint.BeforeStore, HeldRequests.Writes);
        var waiting = cluster.Time.WhenWaiting(DeadStoreCluster.Limit);
        var write = grain.TryAddAsync(1);
        await waiting;
        await hold.WaitUntilHeldAsync(cancellationToken: Cancel);
        cluster.Time.Jump(DeadStoreCluster.Limit);
        Assert.False(await write);
        var (_, call) = await cluster.CallEndlesslyAsync(writes: false);
        using var counts = new Counters();
        var stopping = await cluster.BeginStopAsync();
        await cluster.WhenLeftAsync(grain);
        Assert.Equal(1, await grain.ReadAsync());
        Assert.Equal(1, counts[StoutOrleansMeter.Claims]);
        hold.Release();
        cluster.Gate.Open();
        await call;
        await stopping;
        Assert.Equal((1, 0, 1), counts.HandOvers);
    }
}

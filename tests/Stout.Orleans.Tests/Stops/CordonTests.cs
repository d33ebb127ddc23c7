using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime.Placement;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.HandOver;
using Stout.Orleans.Tests.Grains;

namespace Stout.Orleans.Tests.Stops;

/// <summary>The silos that grains go to while a silo stops.</summary>
[Collection(nameof(Alone))]
public sealed class CordonTests
{
    [Fact]
    public async Task No_silo_places_a_grain_on_a_stopping_one()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 2);
        var (_, call) = await cluster.CallEndlesslyAsync();
        using var counts = new Counters();
        var stopping = await cluster.BeginStopAsync();
        await cluster.WhenClosedAsync();
        var calls = cluster.Silos.SelectMany(silo => Enumerable.Range(0, 20).Select(async i =>
        {
            var grain = silo.ServiceProvider.GetRequiredService<IGrainFactory>().GetGrain<ICounterGrain>($"{silo.Name}{i}");
            // Without the cordon, the hint would decide.
            RequestContext.Set(IPlacementDirector.PlacementHintKey, cluster.Stopping.SiloAddress);
            await grain.AddAsync(1);
            return cluster.SiloOf(grain);
        })).ToList();
        Assert.DoesNotContain(cluster.Stopping.SiloAddress, await Task.WhenAll(calls));
        cluster.Gate.Open();
        await call;
        await stopping;
        Assert.Equal((1, 0, 0), counts.HandOvers);
    }

    [Fact]
    public async Task A_silo_that_joins_while_a_call_never_ends_places_no_grain_on_the_stopping_one()
    {
        var limit = TimeSpan.FromHours(1);
        await using var cluster = await StoppingCluster.StartAsync(others: 1, configureStopping: silo => silo.AddStoutHandOver().Services
            .PostConfigure<HostOptions>(host => host.ShutdownTimeout = 2 * limit));
        var (_, call) = await cluster.CallEndlesslyAsync();
        var waiting = cluster.Time.WhenWaiting(SiloHandOver.Patience);
        var stopping = await cluster.BeginStopAsync(limit);
        await waiting;
        // Only the call is left.
        cluster.Time.Jump(SiloHandOver.Patience);
        await cluster.StartAnotherAsync();
        await cluster.WhenClosedAsync();
        cluster.Gate.Open();
        await call;
        await stopping;
    }

    /// <summary>The other silo is that of a build without the class. New grains of the class still find a silo.</summary>
    [Fact]
    public async Task Grains_that_no_other_silo_accepts_stay_until_their_silo_stops()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1, static silo =>
        {
            silo.AddStoutHandOver();
            silo.Configure<GrainTypeOptions>(static types => types.Classes.Remove(typeof(SavingCartGrain)));
        });
        var cart = await cluster.OnStoppingAsync<ICartGrain>("a", static grain => grain.AddAsync("item"), typeof(SavingCartGrain));
        var activation = await cart.ActivationAsync();
        var (_, call) = await cluster.CallEndlesslyAsync();
        using var counts = new Counters();
        var stopping = await cluster.BeginStopAsync();
        await cluster.WhenClosedAsync();
        var late = cluster.Grains.GetGrain<ICartGrain>("b", typeof(SavingCartGrain).FullName);
        Assert.Equal(1, await late.AddAsync("item"));
        Assert.Equal(cluster.Stopping.SiloAddress, cluster.SiloOf(late));
        Assert.Equal(activation, await cart.ActivationAsync());
        cluster.Gate.Open();
        await call;
        await stopping;
        Assert.Equal((1, 0, 2), counts.HandOvers);
    }

    /// <summary>The other silo is that of an earlier build: it knows neither the cordon nor the filter, and still places and takes grains.</summary>
    [Fact]
    public async Task A_silo_without_the_option_takes_the_grains_too()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1, static _ => { });
        var grain = await cluster.OnStoppingAsync<ICounterGrain>("a", static grain => grain.AddAsync(1));
        using var counts = new Counters();
        await cluster.StopAsync();
        Assert.Equal(2, await grain.AddAsync(1));
        Assert.Equal((1, 0, 0), counts.HandOvers);
        Assert.Equal((0, 1), (counts[StoutOrleansMeter.Claims], counts[StoutOrleansMeter.Resumes]));
    }

    /// <summary>The other silo is that of a build with a later form of the hand-over.</summary>
    [Fact]
    public async Task A_silo_with_another_format_takes_the_grains_cold()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1, static silo =>
        {
            silo.AddStoutHandOver();
            silo.Services.AddSingleton(new HandOverFormat(HandOverFormat.Current + 1));
        });
        var counter = await cluster.OnStoppingAsync<ICounterGrain>("a", static grain => grain.AddAsync(1));
        var cart = await cluster.OnStoppingAsync<ICartGrain>("a", static grain => grain.AddAsync("item"), typeof(CartGrain));
        using var counts = new Counters();
        await cluster.StopAsync();
        Assert.Equal((2, 0, 0), counts.HandOvers);
        Assert.Equal(2, await counter.AddAsync(1));
        Assert.Equal(2, await cart.AddAsync("item"));
        Assert.Equal((2, 0), (counts[StoutOrleansMeter.Claims], counts[StoutOrleansMeter.Resumes]));
    }

    [Fact]
    public async Task Silos_that_stop_at_the_same_time_pass_no_grain_to_and_fro()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1);
        var grain = await cluster.OnStoppingAsync<ICounterGrain>("a", static grain => grain.AddAsync(1));
        var (_, call) = await cluster.CallEndlesslyAsync();
        using var counts = new Counters();
        var stopping = await cluster.BeginStopAsync();
        await cluster.WhenClosedAsync();
        await cluster.WhenLeftAsync(grain);
        // The grain is on the other silo, which stops, too.
        var both = cluster.StopAsync(cluster.Silos[0]);
        cluster.Gate.Open();
        await Task.WhenAll(call, stopping, both);
        Assert.InRange(counts.HandOvers.HandedOver, 1, 2);
    }

    [Theory]
    [InlineData(HandOverGrains.WithStoutState, 0)]
    [InlineData(HandOverGrains.Application, 1)]
    public async Task All_grains_of_the_application_leave_if_the_option_says_so(HandOverGrains grains, int leaving)
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1, configureStopping: silo => silo.AddStoutHandOver(options => options.Grains = grains));
        await cluster.OnStoppingAsync<IStatelessGrain>("a", static grain => grain.PingAsync());
        await cluster.Grains.GetGrain<IManagementGrain>(0).GetHosts(onlyActive: true, TestContext.Current.CancellationToken);
        using var counts = new Counters();
        await cluster.StopAsync();
        Assert.Equal((leaving, 0, 0), counts.HandOvers);
    }
}

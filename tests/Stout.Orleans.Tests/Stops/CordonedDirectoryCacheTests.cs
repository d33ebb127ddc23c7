using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Runtime.GrainDirectory;
using Stout.Orleans.HandOver;
using Stout.Orleans.Tests.Grains;

namespace Stout.Orleans.Tests.Stops;

/// <summary>The places of grains that silos keep while another silo stops.</summary>
[Collection(nameof(Alone))]
public sealed class CordonedDirectoryCacheTests
{
    [Fact]
    public async Task Places_on_a_silo_that_its_grains_have_left_are_looked_up_anew()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 1);
        var (cordon, cache) = (cluster.Silos[0].ServiceProvider.GetRequiredService<Cordon>(), cluster.Silos[0].ServiceProvider.GetRequiredService<IGrainDirectoryCache>());
        Assert.IsType<CordonedDirectoryCache>(cache);
        var (stopping, other) = (Place("a", cluster.Stopping.SiloAddress), Place("b", cluster.Silos[0].SiloAddress));
        cache.AddOrUpdate(stopping, 1);
        cache.AddOrUpdate(other, 1);
        // Until the grains have left, most of them are still there.
        cordon.Close(cluster.Stopping.SiloAddress);
        Assert.True(cache.LookUp(stopping.GrainId, out var found, out _));
        Assert.Equal(stopping, found);
        cordon.Leave(cluster.Stopping.SiloAddress);
        // The message is late.
        cordon.Close(cluster.Stopping.SiloAddress);
        Assert.False(cache.LookUp(stopping.GrainId, out _, out _));
        Assert.True(cache.LookUp(other.GrainId, out _, out _));
        Assert.Equal([other], cache.KeyValues.Select(static entry => entry.ActivationAddress));
    }

    [Fact]
    public async Task All_silos_know_when_the_grains_have_left_and_that_a_silo_is_dead()
    {
        await using var cluster = await StoppingCluster.StartAsync(others: 2);
        await cluster.OnStoppingAsync<ICounterGrain>("a", static grain => grain.AddAsync(1));
        await cluster.StopAsync();
        var cordons = cluster.Silos.Select(static silo => silo.ServiceProvider.GetRequiredService<Cordon>()).ToList();
        Assert.All(cordons, cordon => Assert.True(cordon.IsLeft(cluster.Stopping.SiloAddress)));
        // The next silo that stops has the dead one forgotten.
        await cluster.WhenDeadAsync(cluster.Stopping.SiloAddress);
        Assert.All(cordons, cordon =>
        {
            cordon.Close(SiloAddress.New(IPAddress.Loopback, 1, 1));
            Assert.False(cordon.IsClosed(cluster.Stopping.SiloAddress));
        });
    }

    private static GrainAddress Place(string key, SiloAddress silo) =>
        new() { GrainId = GrainId.Create("grain", key), ActivationId = ActivationId.NewId(), SiloAddress = silo };
}

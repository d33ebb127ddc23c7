using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Orleans.TestingHost;
using Stout.Hosting;
using Stout.Orleans.Tests.Grains;

namespace Stout.Orleans.Tests.Duplicates;

/// <summary>Two clusters of one service, whose grains own the same states.</summary>
internal sealed class PairOfOwners : IAsyncDisposable
{
    private readonly InProcessTestCluster[] _clusters;

    private PairOfOwners(InProcessTestCluster[] clusters) => _clusters = clusters;

    /// <summary>The grain of the older and the newer owner of a state. Each cluster has the older ones for half of the states.</summary>
    /// <param name="state">The state's number.</param>
    public (IKeeperGrain Older, IKeeperGrain Newer) Of(int state) =>
        (_clusters[state % 2].Client.GetGrain<IKeeperGrain>($"{state}"), _clusters[(state + 1) % 2].Client.GetGrain<IKeeperGrain>($"{state}"));

    /// <param name="serviceId">The service.</param>
    /// <param name="useStore">Chooses the store.</param>
    /// <param name="ownership">Whether the providers claim keys.</param>
    /// <param name="secondIsAhead">How far the clock of the second cluster's silo is ahead.</param>
    public static async Task<PairOfOwners> StartAsync(string serviceId, Action<StoutBuilder> useStore, GrainOwnership ownership, TimeSpan secondIsAhead) =>
        new(await Task.WhenAll(((TimeSpan[])[TimeSpan.Zero, secondIsAhead]).Select(ahead => TestCluster.StartAsync(
            1,
            silo =>
            {
                silo.Services.AddSingleton<TimeProvider>(new ShiftedTime(ahead));
                silo.AddStoutGrainStorageAsDefault(useStore, (StoutGrainStorageOptions options) => options.Ownership = ownership);
            },
            serviceId))));

    public async ValueTask DisposeAsync()
    {
        foreach (var cluster in _clusters)
            await cluster.DisposeAsync();
    }
}

using Microsoft.Extensions.DependencyInjection;

namespace Stout.Orleans.Chaos.Silos;

/// <summary>A planted bug: the silo gives up its undurable changes when it begins to leave, instead of draining at the end.</summary>
internal sealed class DrainSkipper([FromKeyedServices("Default")] StoutClient client) : ILifecycleParticipant<ISiloLifecycle>
{
    public void Participate(ISiloLifecycle observer) => observer.Subscribe(
        nameof(DrainSkipper), ServiceLifecycleStage.Active, static _ => Task.CompletedTask, _ => client.StopAsync(new CancellationToken(canceled: true)));
}

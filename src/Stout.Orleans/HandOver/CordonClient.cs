using Orleans.Runtime;
using Orleans.Runtime.Services;

namespace Stout.Orleans.HandOver;

/// <summary>Calls the <see cref="ICordonService"/> of other silos.</summary>
internal sealed class CordonClient(IServiceProvider services) : GrainServiceClient<ICordonService>(services)
{
    /// <summary>Tells a silo that another one is about to stop.</summary>
    public Task TellAsync(SiloAddress silo, SiloAddress stopping) => GetGrainService(silo).CloseAsync(stopping);
}

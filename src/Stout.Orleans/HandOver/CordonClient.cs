using Orleans.Runtime;
using Orleans.Runtime.Services;

namespace Stout.Orleans.HandOver;

/// <summary>Calls the <see cref="ICordonService"/> of other silos.</summary>
internal sealed class CordonClient(IServiceProvider services) : GrainServiceClient<ICordonService>(services)
{
    /// <summary>The service of a silo.</summary>
    public ICordonService Of(SiloAddress silo) => GetGrainService(silo);
}

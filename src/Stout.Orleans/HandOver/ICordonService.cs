using Orleans.Runtime;
using Orleans.Services;

namespace Stout.Orleans.HandOver;

/// <summary>Tells a silo which other silos are about to stop.</summary>
[Alias("Stout.Orleans.ICordonService")]
internal interface ICordonService : IGrainService
{
    /// <summary>Has the silo place no more grains on a stopping one.</summary>
    [Alias("CloseAsync")]
    Task CloseAsync(SiloAddress stopping);

    /// <summary>Has the silo look up the new places of a stopping silo's grains.</summary>
    [Alias("LeaveAsync")]
    Task LeaveAsync(SiloAddress stopping);
}

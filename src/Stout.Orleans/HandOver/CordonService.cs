using Microsoft.Extensions.Logging;
using Orleans.Runtime;

namespace Stout.Orleans.HandOver;

/// <inheritdoc cref="ICordonService"/>
internal sealed class CordonService(GrainId grainId, Silo silo, ILoggerFactory loggers, Cordon cordon) : GrainService(grainId, silo, loggers), ICordonService
{
    /// <inheritdoc/>
    public Task CloseAsync(SiloAddress stopping)
    {
        cordon.Close(stopping);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task LeaveAsync(SiloAddress stopping)
    {
        cordon.Leave(stopping);
        return Task.CompletedTask;
    }
}

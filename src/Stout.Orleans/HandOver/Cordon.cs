using System.Collections.Immutable;
using Orleans.Runtime;

namespace Stout.Orleans.HandOver;

/// <summary>The silos that take no new activations, since they are about to stop.</summary>
internal sealed class Cordon(ISiloStatusOracle statuses)
{
    private ImmutableHashSet<SiloAddress> _closed = [];

    public bool IsEmpty => _closed.IsEmpty;

    /// <summary>Adds a silo. Silos that have ended meanwhile are removed: the address of a restarted silo differs.</summary>
    public void Close(SiloAddress silo) => ImmutableInterlocked.Update(
        ref _closed,
        static (closed, arg) => closed.Except(closed.Where(arg.Statuses.IsDeadSilo)).Add(arg.Silo),
        (Silo: silo, Statuses: statuses));

    public bool IsClosed(SiloAddress silo) => _closed.Contains(silo);
}

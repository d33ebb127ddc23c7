using System.Collections.Immutable;
using Orleans.Runtime;

namespace Stout.Orleans.HandOver;

/// <summary>The silos that are about to stop: first they take no new activations, and then their grains have left.</summary>
internal sealed class Cordon(ISiloStatusOracle statuses)
{
    // The value tells whether the silo's grains have left.
    private ImmutableDictionary<SiloAddress, bool> _closed = ImmutableDictionary<SiloAddress, bool>.Empty;

    public bool IsEmpty => _closed.IsEmpty;

    /// <summary>Notes that a silo takes no new activations.</summary>
    /// <remarks>A late message changes nothing after <see cref="Leave"/>.</remarks>
    public void Close(SiloAddress silo) => Note(silo, isLeft: false);

    /// <summary>Notes that the grains of a silo have left.</summary>
    public void Leave(SiloAddress silo) => Note(silo, isLeft: true);

    public bool IsClosed(SiloAddress silo) => _closed.ContainsKey(silo);

    public bool IsLeft(SiloAddress silo) => _closed.GetValueOrDefault(silo);

    /// <summary>Removes silos that have ended, too. The address of a restarted silo differs.</summary>
    private void Note(SiloAddress silo, bool isLeft) => ImmutableInterlocked.Update(
        ref _closed,
        static (closed, arg) => closed.RemoveRange(closed.Keys.Where(arg.Statuses.IsDeadSilo))
            .SetItem(arg.Silo, arg.IsLeft || closed.GetValueOrDefault(arg.Silo)),
        (Silo: silo, IsLeft: isLeft, Statuses: statuses));
}

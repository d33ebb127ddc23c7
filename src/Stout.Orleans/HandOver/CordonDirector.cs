using Orleans.Placement;
using Orleans.Runtime;
using Orleans.Runtime.Placement;

namespace Stout.Orleans.HandOver;

/// <summary>
/// Keeps grains from silos that are about to stop. If a grain has no other silo, it may still be placed, so the result is never empty. If the present silo
/// stops, that grain stays there and is not handed over.
/// </summary>
internal sealed class CordonDirector(Cordon cordon, HandOverMembers members, ILocalSiloDetails local) : IPlacementFilterDirector
{
    /// <inheritdoc/>
    public IEnumerable<SiloAddress> Filter(PlacementFilterStrategy filterStrategy, PlacementTarget target, IEnumerable<SiloAddress> silos)
    {
        if (cordon.IsEmpty)
            return silos;
        SiloAddress[] all = [.. silos];
        var open = Array.FindAll(all, silo => !cordon.IsClosed(silo));
        var stays = open.Length == 0 || members.MustStay(target.GrainIdentity);
        if (stays && cordon.IsClosed(local.SiloAddress) && all.Contains(local.SiloAddress))
            return [local.SiloAddress];
        return open.Length == 0 ? all : open;
    }
}

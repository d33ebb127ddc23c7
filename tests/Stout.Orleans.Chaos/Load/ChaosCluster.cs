using Stout.Orleans.Chaos.Faults;
using Stout.Storage;

namespace Stout.Orleans.Chaos.Load;

/// <summary>A cluster, and a second one of the same service on the same store, which activates grains a second time.</summary>
internal abstract class ChaosCluster : IAsyncDisposable
{
    /// <summary>The cluster's silos.</summary>
    public abstract IReadOnlyList<ChaosSilo> Silos { get; }

    /// <summary>The second cluster's silo.</summary>
    public abstract ChaosSilo Other { get; }

    /// <summary>The silos of both clusters.</summary>
    public IEnumerable<ChaosSilo> All => [.. Silos, Other];

    /// <summary>Starts the silos.</summary>
    public abstract Task StartAsync();

    /// <summary>Another proxy of the store, for the checks.</summary>
    public abstract IStorageProxy Connect();

    /// <summary>The faults that only this kind of cluster has.</summary>
    public virtual IEnumerable<Fault> FaultsOfItsOwn(FaultScene scene) => [];

    /// <summary>More figures for the report.</summary>
    public virtual string Figures => "";

    public abstract ValueTask DisposeAsync();
}

using Orleans.Runtime;
using Orleans.Storage;
using Stout.Orleans.Storage;

namespace Stout.Orleans.Hosting;

/// <summary>The storage that has a provider's name. A storage that has replaced Stout's takes part in the silo's life by its own registration.</summary>
internal sealed class StorageInUse(IGrainStorage storage) : ILifecycleParticipant<ISiloLifecycle>
{
    /// <inheritdoc/>
    public void Participate(ISiloLifecycle observer) => (storage as StoutGrainStorage)?.Participate(observer);
}

using Stout.Storage;
using Stout.Testing;

namespace Stout.Experiments.Live.Stores;

/// <summary>Pauses a store that cannot be stopped itself: clients' requests are held before they reach the store.</summary>
internal sealed class HeldStores : IStall
{
    private readonly List<FaultyStore> _stores = [];

    /// <summary>Wraps a store's proxy so that its requests can be held.</summary>
    public IStorageProxy Around(IStorageProxy store)
    {
        var held = new FaultyStore(store);
        _stores.Add(held);
        return held;
    }

    public void Stop() => _stores.ForEach(store => store.Hold());

    public void GoOn() => _stores.ForEach(store => store.Release());
}

using Stout.Storage;
using Stout.Testing;

namespace Stout.Experiments.Live.Stores;

/// <summary>Stops a store for its clients, where nothing stops the store itself: their requests are held before they reach it.</summary>
internal sealed class HeldStores : IStall
{
    private readonly List<FaultyStore> _stores = [];

    /// <summary>The same store, which can be stopped.</summary>
    public IStorageProxy Around(IStorageProxy store)
    {
        var held = new FaultyStore(store);
        _stores.Add(held);
        return held;
    }

    public void Stop() => _stores.ForEach(store => store.Hold());

    public void GoOn() => _stores.ForEach(store => store.Release());
}

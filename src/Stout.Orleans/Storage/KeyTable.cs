using Orleans.Runtime;

namespace Stout.Orleans.Storage;

/// <summary>
/// The keys that a provider owns itself: those of states that code outside the grain uses, and, without claims, those of all states. No deactivation
/// closes a key that code outside its grain has opened. So only a bounded number of these keys stays open, and the oldest one is closed first.
/// </summary>
internal sealed class KeyTable(int bound)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<(string StateName, GrainId GrainId), OwnedKey> _keys = [];
    private readonly Queue<(string StateName, GrainId GrainId)> _order = [];

    public OwnedKey GetOrAdd(string stateName, GrainId grainId, bool isBounded, StoutGrainStorage provider)
    {
        OwnedKey? oldest = null;
        OwnedKey? key;
        lock (_lock)
        {
            if (_keys.TryGetValue((stateName, grainId), out key))
                return key;
            key = _keys[(stateName, grainId)] = provider.Make(stateName, grainId);
            if (isBounded)
            {
                _order.Enqueue((stateName, grainId));
                if (_order.Count > bound)
                    _keys.Remove(_order.Dequeue(), out oldest);
            }
        }

        _ = oldest?.CloseAsync();
        return key;
    }

    /// <summary>Forgets a closed key, unless a newer one has taken its place.</summary>
    public void Remove(string stateName, GrainId grainId, OwnedKey key)
    {
        lock (_lock)
        {
            if (ReferenceEquals(_keys.GetValueOrDefault((stateName, grainId)), key))
                _keys.Remove((stateName, grainId));
        }
    }
}

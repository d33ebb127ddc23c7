using Orleans.Runtime;

namespace Stout.Orleans.Storage;

/// <summary>
/// The keys that a provider owns itself: those of states that code outside the grain uses, and, without claims, those of all states. A key stays in the
/// table while a call or an activation uses it, and until it is closed. So all users of a state share one key, and the table holds no idle key.
/// </summary>
internal sealed class KeyTable(Func<string, GrainId, IStateKey> make)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<(string StateName, GrainId GrainId), Entry> _entries = [];

    /// <summary>The number of keys in use.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _entries.Count;
        }
    }

    /// <summary>Begins a use of a key. Each use ends with <see cref="ReturnAsync"/>.</summary>
    public IStateKey Rent(string stateName, GrainId grainId)
    {
        lock (_lock)
        {
            if (!_entries.TryGetValue((stateName, grainId), out var entry))
                _entries[(stateName, grainId)] = entry = new Entry(make(stateName, grainId));
            entry.Users++;
            entry.Rents++;
            return entry.Key;
        }
    }

    /// <summary>Ends a use of a key. The last user closes the key before it leaves the table.</summary>
    public async Task ReturnAsync(string stateName, GrainId grainId)
    {
        Entry? entry;
        lock (_lock)
            entry = _entries[(stateName, grainId)];
        long rents = 0;
        while (!TryLeave(entry, rents, stateName, grainId))
        {
            rents = Volatile.Read(ref entry.Rents);
            await entry.Key.CloseAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Removes a user. The last one leaves only if no other use has begun since the close, which may have opened the key again.</summary>
    private bool TryLeave(Entry entry, long rentsAtClose, string stateName, GrainId grainId)
    {
        lock (_lock)
        {
            if (entry.Users == 1 && entry.Rents != rentsAtClose)
                return false;
            if (--entry.Users == 0)
                _entries.Remove((stateName, grainId));
            return true;
        }
    }

    private sealed class Entry(IStateKey key)
    {
        public long Rents;

        public IStateKey Key => key;

        public int Users { get; set; }
    }
}

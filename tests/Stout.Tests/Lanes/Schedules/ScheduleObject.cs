namespace Stout.Tests.Lanes.Schedules;

/// <summary>
/// An object in the memory of a modelled application. All changes since its last serialization go into one batch, so that no change is ever torn
/// apart.
/// </summary>
internal sealed class ScheduleObject(KeyHandle handle, Lineage lineage, int state)
{
    private readonly HashSet<string> _changed = [];
    private bool _replaced;

    public KeyHandle Handle => handle;

    /// <summary>The state in memory.</summary>
    public int State { get; private set; } = state;

    /// <summary>
    /// The state at the moment when the handle was closed with all changes durable, which the store then holds. Null while the handle is open, and after a
    /// failure.
    /// </summary>
    public int? HandsOver { get; set; }

    public int MessagesSent { get; set; }

    public int MessagesReleased { get; set; }

    public Dictionary<string, int> Memory => lineage[State].Parts;

    public void Set(IEnumerable<string> parts, int change)
    {
        var next = new Dictionary<string, int>(lineage[State].Parts);
        foreach (var part in parts)
        {
            next[part] = change;
            _changed.Add(part);
        }

        State = lineage.Add(State, next, exists: true);
    }

    public void Remove(string part)
    {
        var next = new Dictionary<string, int>(lineage[State].Parts);
        next.Remove(part);
        _changed.Add(part);
        State = lineage.Add(State, next, exists: true);
    }

    public void DeleteAll()
    {
        _changed.Clear();
        _replaced = true;
        State = lineage.Add(State, [], exists: false);
    }

    /// <summary>Serializes the parts that the core has requested, and all other parts that have changed.</summary>
    public void Serialize(SerializationKey key)
    {
        var memory = lineage[State];
        if (_replaced)
            key.Replace();
        if (memory.Exists)
        {
            foreach (var part in key.DirtyParts)
                _changed.Add(part.Text);
        }

        foreach (var part in _changed)
        {
            if (memory.Parts.TryGetValue(part, out var value))
                Write(key, part, value);
            else
                key.Delete(new SubKey(part));
        }

        _changed.Clear();
        _replaced = false;
    }

    private static void Write(SerializationKey key, string part, int value)
    {
        var writer = key.Write(new SubKey(part));
        BitConverter.TryWriteBytes(writer.GetSpan(sizeof(int)), value);
        writer.Advance(sizeof(int));
    }
}

using Stout.Storage;

namespace Stout.Documents;

/// <summary>
/// The parts of one object in memory, and the undurable ones among them. All members need the document's state lock. But a function that holds the
/// object's lock (<see cref="Document.Gate"/>) may read <see cref="Parts"/> without the state lock. The state lock is never held while code of the
/// service runs.
/// </summary>
internal sealed class DocumentState
{
    private readonly PartTable _parts = new();

    /// <summary>The removed parts whose removal is not durable yet.</summary>
    private Dictionary<SubKey, Part>? _removals;

    public PartTable Parts => _parts;

    /// <summary>The serialized size of all parts.</summary>
    public long Bytes { get; private set; }

    /// <summary>The approximate memory of all parts once they are durable.</summary>
    public long HeldBytes { get; private set; }

    public void Load(IReadOnlyList<StoredPart> stored)
    {
        var parts = new Part[stored.Count];
        for (var i = 0; i < parts.Length; i++)
        {
            parts[i] = new Part(stored[i].SubKey) { IsStored = true };
            parts[i].SetBytes(stored[i].Value);
            Bytes += parts[i].Size;
            HeldBytes += parts[i].HeldBytes;
        }

        _parts.Load(parts);
    }

    /// <summary>Keeps a value that was deserialized from a part's bytes.</summary>
    /// <returns>The growth of the object's memory, in bytes.</returns>
    public long Keep(Part part, object value)
    {
        var before = part.HeldBytes;
        part.Value = value;
        part.DropBytesIfNotNeeded();
        if (!ReferenceEquals(_parts.Find(part.Name.Text), part))
            return 0; // A newer version has replaced the part.
        var growth = part.HeldBytes - before;
        HeldBytes += growth;
        return growth;
    }

    /// <summary>Applies a change.</summary>
    /// <returns>The growth of the object's memory, in bytes.</returns>
    public long Apply(Change change)
    {
        var before = HeldBytes;
        if (change.DeletesObject)
            DeleteAll();
        for (var part = change.FirstPart; part is not null; part = part.NextPart)
            Apply(part);
        return HeldBytes - before;
    }

    /// <summary>Records that a change is durable. Parts that a later change has replaced no longer count as undurable, and are skipped.</summary>
    public void SetDurable(Change change)
    {
        for (var part = change.FirstPart; part is not null; part = part.NextPart)
        {
            if (!part.IsUndurable)
                continue;
            part.IsUndurable = false;
            part.IsStored = true;
            part.DropBytesIfNotNeeded();
            if (part.IsRemoval)
                _removals!.Remove(part.Name);
        }
    }

    private Part? Newest(SubKey name) =>
        _parts.Find(name.Text) ?? (_removals is not null && _removals.TryGetValue(name, out var removal) ? removal : null);

    private void Apply(Part part)
    {
        var replaced = Newest(part.Name);
        if (replaced is { IsUndurable: true })
            replaced.IsUndurable = false;
        part.IsUndurable = true;
        Bytes += part.Size - (replaced?.Size ?? 0);
        HeldBytes += (part.IsRemoval ? 0 : part.HeldBytes) - (replaced is null or { IsRemoval: true } ? 0 : replaced.HeldBytes);
        if (part.IsRemoval)
        {
            _parts.Remove(part.Name.Text);
            (_removals ??= [])[part.Name] = part;
        }
        else
        {
            _parts.Put(part);
            _removals?.Remove(part.Name);
        }
    }

    private void DeleteAll()
    {
        for (var i = 0; i < _parts.Count; i++)
            _parts[i].IsUndurable = false;
        if (_removals is not null)
        {
            foreach (var removal in _removals.Values)
                removal.IsUndurable = false;
            _removals = null;
        }

        _parts.Clear();
        Bytes = 0;
        HeldBytes = 0;
    }
}

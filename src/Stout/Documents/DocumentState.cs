using Stout.Storage;

namespace Stout.Documents;

/// <summary>
/// What one object holds in memory, and what of it is not durable. Every member needs the document's state lock, which no code of the
/// service is ever run under.
/// </summary>
internal sealed class DocumentState
{
    private readonly PartTable _parts = new();

    /// <summary>Removals that are not durable yet.</summary>
    private Dictionary<SubKey, Part>? _removals;

    private long _undurableBytes;
    private int _undurableParts;

    public PartTable Parts => _parts;

    /// <summary>The size of all parts in their serialized form.</summary>
    public long Bytes { get; private set; }

    /// <summary>What all parts take in memory, about, once they are durable.</summary>
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

    /// <summary>
    /// Whether a change and all that is not durable yet could be committed together. They may have to be: what the store has
    /// refused for now joins what came after it.
    /// </summary>
    public bool HasRoomFor(Change change, StorageLimits limits)
    {
        // A deletion takes the place of all that came before it.
        if (change.DeletesObject || Fits(_undurableBytes + change.Bytes, _undurableParts + change.PartCount))
            return true;
        var (bytes, parts) = UndurableWith(change);
        return Fits(bytes, parts);

        bool Fits(long bytes, int parts) => bytes <= limits.MaxChangeSetBytes && parts <= limits.MaxChangeSetParts;
    }

    /// <summary>How much will be undurable once a change is made.</summary>
    public (long Bytes, int Parts) UndurableWith(Change change)
    {
        if (change.DeletesObject)
            return (change.Bytes, change.PartCount);
        var (bytes, parts) = (_undurableBytes + change.Bytes, _undurableParts + change.PartCount);
        if (_undurableParts == 0)
            return (bytes, parts);
        for (var part = change.FirstPart; part is not null; part = part.NextPart)
        {
            if (Newest(part.Name) is { IsUndurable: true } replaced)
            {
                bytes -= replaced.Size;
                parts--;
            }
        }

        return (bytes, parts);
    }

    /// <summary>Keeps a value that was made of a part's bytes.</summary>
    /// <returns>By how many bytes of memory the object has grown.</returns>
    public long Keep(Part part, object value)
    {
        var before = part.HeldBytes;
        part.Value = value;
        part.DropBytesIfNotNeeded();
        if (!ReferenceEquals(_parts.Find(part.Name.Text), part))
            return 0; // A newer version has taken its place.
        var growth = part.HeldBytes - before;
        HeldBytes += growth;
        return growth;
    }

    /// <summary>Makes the change.</summary>
    /// <returns>By how many bytes of memory the object has grown.</returns>
    public long Apply(Change change)
    {
        var before = HeldBytes;
        if (change.DeletesObject)
            DeleteAll();
        for (var part = change.FirstPart; part is not null; part = part.NextPart)
            Apply(part);
        return HeldBytes - before;
    }

    /// <summary>Notes that a change is durable, and with it every one before it.</summary>
    public void SetDurable(Change change)
    {
        for (var part = change.FirstPart; part is not null; part = part.NextPart)
        {
            if (!part.IsUndurable)
                continue;
            ForgetUndurable(part);
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
            ForgetUndurable(replaced);
        part.IsUndurable = true;
        _undurableBytes += part.Size;
        _undurableParts++;
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
        _undurableBytes = 0;
        _undurableParts = 0;
        Bytes = 0;
        HeldBytes = 0;
    }

    private void ForgetUndurable(Part part)
    {
        part.IsUndurable = false;
        _undurableBytes -= part.Size;
        _undurableParts--;
    }
}

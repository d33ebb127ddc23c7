using Stout.Storage;

namespace Stout.Lanes;

/// <summary>
/// The changed parts of one key with their bytes, for the next batch or the present one. Each dirty key holds two of these structs; do not copy one in use.
/// </summary>
internal struct PartSet
{
    private PartMap<PushedPart> _parts;

    /// <summary>Whether the whole object was deleted before these parts were changed.</summary>
    public readonly bool ReplacesAll => _parts.ReplacesAll;

    public readonly int Count => _parts.Count;

    public readonly bool IsEmpty => _parts.IsEmpty;

    public void MarkAllDeleted() => _parts.MarkAllDeleted();

    /// <summary>Records a changed part with its bytes, or a removed part.</summary>
    /// <returns>The growth of the set's parts, in bytes.</returns>
    public int Push(PushedPart part) => part.Bytes.Length - (_parts.Set(part.Name, part)?.Bytes.Length ?? 0);

    /// <summary>Whether a part is changed in this set, and the size of its bytes.</summary>
    public readonly bool Contains(SubKey part, out int bytes)
    {
        var isThere = _parts.TryGet(part, out var its);
        bytes = isThere ? its.Bytes.Length : 0;
        return isThere;
    }

    /// <summary>Adds the parts of a later set.</summary>
    public void Add(in PartSet later) => _parts.Add(later._parts);

    /// <summary>Measures a write of the parts.</summary>
    /// <returns>The number of parts, the bytes of all parts, and the bytes of the largest.</returns>
    public readonly (int Parts, long Bytes, int Largest) Measure()
    {
        var (written, bytes, largest) = (0, 0L, 0);
        if (_parts.TryGetRoot(out var root))
            Add(root);
        if (_parts.Others is { } others)
        {
            foreach (var part in others.Values)
                Add(part);
        }

        return (ReplacesAll ? written : Count, bytes, largest);

        void Add(PushedPart part)
        {
            if (part.IsRemoval)
                return;
            written++;
            bytes += part.Bytes.Length;
            largest = Math.Max(largest, part.Bytes.Length);
        }
    }

    /// <summary>Builds the key's write.</summary>
    /// <param name="parts">Cleared, then filled with the parts.</param>
    public readonly KeyWriteKind Collect(List<PartWrite> parts)
    {
        parts.Clear();
        if (_parts.TryGetRoot(out var root))
            Add(root, ReplacesAll, parts);
        if (_parts.Others is { } others)
        {
            foreach (var part in others.Values)
                Add(part, ReplacesAll, parts);
        }

        // A set with any part, even a removed one, makes the object exist, perhaps as an empty object.
        return !ReplacesAll ? KeyWriteKind.Merge : Count > 0 ? KeyWriteKind.Replace : KeyWriteKind.Delete;

        static void Add(PushedPart part, bool replacesAll, List<PartWrite> parts)
        {
            if (!part.IsRemoval)
                parts.Add(new PartWrite(part.Name, false, part.Bytes));
            else if (!replacesAll)
                parts.Add(new PartWrite(part.Name, true, default));
        }
    }

    public void Clear() => _parts.Clear();
}

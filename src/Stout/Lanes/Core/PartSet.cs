using System.Runtime.InteropServices;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>
/// The changed parts of one key, for the next batch or the present one. The part with the empty name has a field of its own, since most objects have no other
/// part. Each dirty key holds two of these structs; do not copy one in use.
/// </summary>
internal struct PartSet
{
    // Bounds the size of a dictionary that is reused: the cost of clearing it grows with the largest size that it ever had.
    private const int MostKept = 64;

    private Dictionary<SubKey, PushedPart>? _parts;
    private PushedPart? _root;

    /// <summary>Whether the whole object was deleted before these parts were changed.</summary>
    public bool ReplacesAll { get; private set; }

    public readonly int Count => (_root is null ? 0 : 1) + (_parts?.Count ?? 0);

    public readonly bool IsEmpty => !ReplacesAll && _root is null && _parts is not { Count: > 0 };

    public void MarkAllDeleted()
    {
        Clear();
        ReplacesAll = true;
    }

    /// <summary>Sets a part. The last value counts.</summary>
    /// <returns>The part's previous value, or null.</returns>
    public PushedPart? Set(SubKey name, PushedPart part)
    {
        if (name.IsRoot)
        {
            var root = _root;
            _root = part;
            return root;
        }

        ref var entry = ref CollectionsMarshal.GetValueRefOrAddDefault(_parts ??= [], name, out _);
        (var before, entry) = (entry, part);
        return before;
    }

    /// <summary>Records a changed part with its bytes, or a removed part.</summary>
    /// <returns>The growth of the set's parts, in bytes.</returns>
    public int Push(PushedPart part) => part.Bytes.Length - (Set(part.Name, part)?.Bytes.Length ?? 0);

    /// <summary>The changed part of this name, or null.</summary>
    public readonly PushedPart? Find(SubKey name) => name.IsRoot ? _root : _parts?.GetValueOrDefault(name);

    /// <summary>Adds the parts of a later set.</summary>
    public void Add(in PartSet later)
    {
        if (later.ReplacesAll)
            MarkAllDeleted();
        if (later._root is not null)
            _root = later._root;
        if (later._parts is null)
            return;
        foreach (var (name, part) in later._parts)
            Set(name, part);
    }

    /// <summary>Adds the names of the parts with this value to a list.</summary>
    public readonly void CopyTo(List<SubKey> names, PushedPart value)
    {
        if (ReferenceEquals(_root, value))
            names.Add(SubKey.Root);
        if (_parts is null)
            return;
        foreach (var (name, part) in _parts)
        {
            if (ReferenceEquals(part, value))
                names.Add(name);
        }
    }

    /// <summary>Whether any part has this type.</summary>
    public readonly bool HasAny<T>()
        where T : PushedPart
    {
        if (_root is T)
            return true;
        if (_parts is null)
            return false;
        foreach (var part in _parts.Values)
        {
            if (part is T)
                return true;
        }

        return false;
    }

    /// <summary>Measures a write of the parts.</summary>
    /// <returns>The number of parts, the bytes of all parts, and the bytes of the largest.</returns>
    public readonly (int Parts, long Bytes, int Largest) Measure()
    {
        var (written, bytes, largest) = (0, 0L, 0);
        Add(_root);
        if (_parts is not null)
        {
            foreach (var part in _parts.Values)
                Add(part);
        }

        return (ReplacesAll ? written : Count, bytes, largest);

        void Add(PushedPart? part)
        {
            if (part is null or { IsRemoval: true })
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
        if (_root is not null)
            Add(SubKey.Root, _root, ReplacesAll, parts);
        if (_parts is not null)
        {
            foreach (var (name, part) in _parts)
                Add(name, part, ReplacesAll, parts);
        }

        // A set with any part, even a removed one, makes the object exist, perhaps as an empty object.
        return !ReplacesAll ? KeyWriteKind.Merge : Count > 0 ? KeyWriteKind.Replace : KeyWriteKind.Delete;

        static void Add(SubKey name, PushedPart part, bool replacesAll, List<PartWrite> parts)
        {
            if (!part.IsRemoval)
                parts.Add(new PartWrite(name, false, part.Bytes));
            else if (!replacesAll)
                parts.Add(new PartWrite(name, true, default));
        }
    }

    /// <summary>Prepares the parts for another batch, since the store does not have them.</summary>
    public void Requeue()
    {
        _root = _root?.Again;
        if (_parts is null)
            return;
        foreach (var name in _parts.Keys)
        {
            ref var part = ref CollectionsMarshal.GetValueRefOrNullRef(_parts, name);
            part = part.Again;
        }
    }

    public void Clear()
    {
        ReplacesAll = false;
        _root = null;
        if (_parts is { Count: > MostKept })
            _parts = null;
        else
            _parts?.Clear();
    }
}

using System.Runtime.InteropServices;

namespace Stout.Lanes;

/// <summary>
/// Values of the changed parts of one key. The part with the empty name has a field of its own, since most objects have no other part. Do not copy a struct in
/// use.
/// </summary>
internal struct PartMap<T>
{
    // Bounds the size of a dictionary that is reused: the cost of clearing it grows with the largest size that it ever had.
    private const int MostKept = 64;

    private Dictionary<SubKey, T>? _parts;
    private T? _root;
    private bool _hasRoot;

    /// <summary>Whether the whole object was deleted before these parts were changed.</summary>
    public bool ReplacesAll { get; private set; }

    public readonly int Count => (_hasRoot ? 1 : 0) + (_parts?.Count ?? 0);

    public readonly bool IsEmpty => !ReplacesAll && !_hasRoot && _parts is not { Count: > 0 };

    /// <summary>The part with the empty name.</summary>
    /// <returns>Whether it is changed.</returns>
    public readonly bool TryGetRoot(out T value)
    {
        value = _root!;
        return _hasRoot;
    }

    /// <summary>The other parts; null without any.</summary>
    public readonly Dictionary<SubKey, T>? Others => _parts;

    public readonly bool TryGet(SubKey part, out T value)
    {
        if (part.IsRoot)
            return TryGetRoot(out value);
        value = default!;
        return _parts is not null && _parts.TryGetValue(part, out value!);
    }

    /// <summary>Sets the value of a part. The last value counts.</summary>
    /// <returns>The part's previous value, or the default.</returns>
    public T? Set(SubKey part, T value)
    {
        if (part.IsRoot)
        {
            var root = _root;
            (_root, _hasRoot) = (value, true);
            return root;
        }

        ref var entry = ref CollectionsMarshal.GetValueRefOrAddDefault(_parts ??= [], part, out _);
        (var before, entry) = (entry, value);
        return before;
    }

    /// <summary>Adds the values of a later map.</summary>
    public void Add(in PartMap<T> later)
    {
        if (later.ReplacesAll)
            MarkAllDeleted();
        if (later.TryGetRoot(out var root))
            Set(SubKey.Root, root);
        if (later._parts is null)
            return;
        foreach (var (part, value) in later._parts)
            Set(part, value);
    }

    public void MarkAllDeleted()
    {
        Clear();
        ReplacesAll = true;
    }

    public void Clear()
    {
        ReplacesAll = false;
        (_root, _hasRoot) = (default, false);
        if (_parts is { Count: > MostKept })
            _parts = null;
        else
            _parts?.Clear();
    }
}

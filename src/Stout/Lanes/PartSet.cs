using System.Runtime.InteropServices;

namespace Stout.Lanes;

/// <summary>What a set of changes does to one part.</summary>
internal enum PartMark : byte
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>It has changed and is to be written.</summary>
    Dirty,

    /// <summary>It goes.</summary>
    Deleted,

    /// <summary>It was dirty, and the callback has written it.</summary>
    Written,

    /// <summary>The callback has said that it is gone.</summary>
    Removed,
}

/// <summary>
/// The changed parts of one key: what the next batch has to carry, or what one does. The object itself, the empty sub-key, has
/// a field of its own, since most objects have no other part. A struct, since every dirty key holds two: never copy one that is in use.
/// </summary>
internal struct PartSet
{
    // Clearing costs as much as the dictionary once was large, and the set is used again for other keys.
    private const int MostKept = 64;

    private Dictionary<SubKey, PartMark>? _parts;

    /// <summary>Whether the whole object was deleted before the parts of this set were marked.</summary>
    public bool ReplacesAll { get; private set; }

    public PartMark Root { get; private set; }

    public readonly int Count => (Root == PartMark.None ? 0 : 1) + (_parts?.Count ?? 0);

    public readonly bool IsEmpty => !ReplacesAll && Root == PartMark.None && _parts is not { Count: > 0 };

    /// <summary>Whether the callback has answered for a part.</summary>
    public readonly bool HasAnswers
    {
        get
        {
            if (IsAnswer(Root))
                return true;
            if (_parts is null)
                return false;
            foreach (var mark in _parts.Values)
            {
                if (IsAnswer(mark))
                    return true;
            }

            return false;
        }
    }

    public void MarkAllDeleted()
    {
        Clear();
        ReplacesAll = true;
    }

    /// <summary>The last mark of a part is the one that holds.</summary>
    /// <returns>The part's mark before.</returns>
    public PartMark Mark(SubKey part, PartMark mark)
    {
        if (part.IsRoot)
        {
            var before = Root;
            Root = mark;
            return before;
        }

        ref var entry = ref CollectionsMarshal.GetValueRefOrAddDefault(_parts ??= [], part, out _);
        (var old, entry) = (entry, mark);
        return old;
    }

    /// <summary>Adds what came after these marks.</summary>
    public void Add(in PartSet later)
    {
        if (later.ReplacesAll)
            MarkAllDeleted();
        if (later.Root != PartMark.None)
            Root = later.Root;
        if (later._parts is not null)
        {
            foreach (var (part, mark) in later._parts)
                Mark(part, mark);
        }
    }

    /// <summary>Adds the parts with this mark to a list.</summary>
    public readonly void CopyTo(List<SubKey> parts, PartMark mark)
    {
        if (Root == mark)
            parts.Add(SubKey.Root);
        if (_parts is null)
            return;
        foreach (var (part, its) in _parts)
        {
            if (its == mark)
                parts.Add(part);
        }
    }

    /// <summary>Marks as dirty again what the callback had written: the store has not got it.</summary>
    public void TakeBack()
    {
        Root = Before(Root);
        if (_parts is null)
            return;
        foreach (var part in _parts.Keys)
        {
            ref var mark = ref CollectionsMarshal.GetValueRefOrNullRef(_parts, part);
            mark = Before(mark);
        }

        static PartMark Before(PartMark mark) => mark switch
        {
            PartMark.Written => PartMark.Dirty,
            PartMark.Removed => PartMark.Deleted,
            _ => mark,
        };
    }

    public void Clear()
    {
        ReplacesAll = false;
        Root = PartMark.None;
        if (_parts is { Count: > MostKept })
            _parts = null;
        else
            _parts?.Clear();
    }

    private static bool IsAnswer(PartMark mark) => mark > PartMark.Deleted;
}

using System.Runtime.InteropServices;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>What a set of changes does to one part.</summary>
internal enum PartMark : byte
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>It has changed and is to be written.</summary>
    Dirty,

    /// <summary>It has changed, and its bytes are there.</summary>
    Pushed,

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

    private Dictionary<SubKey, MarkedPart>? _parts;
    private PushedPart? _rootPushed;

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
            foreach (var part in _parts.Values)
            {
                if (IsAnswer(part.Mark))
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
    public PartMark Mark(SubKey part, PartMark mark) => Mark(part, new MarkedPart(mark, null));

    /// <summary>Marks a part whose bytes are there, or which goes.</summary>
    public void Push(PushedPart part) =>
        Mark(part.Name, part.IsRemoval ? new MarkedPart(PartMark.Deleted, null) : new MarkedPart(PartMark.Pushed, part));

    /// <summary>Adds what came after these marks.</summary>
    public void Add(in PartSet later)
    {
        if (later.ReplacesAll)
            MarkAllDeleted();
        if (later.Root != PartMark.None)
            (Root, _rootPushed) = (later.Root, later._rootPushed);
        if (later._parts is not null)
        {
            foreach (var (part, marked) in later._parts)
                Mark(part, marked);
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
            if (its.Mark == mark)
                parts.Add(part);
        }
    }

    /// <summary>How large a write of pushed parts is.</summary>
    /// <returns>The number of its parts, the bytes of all, and those of the largest.</returns>
    public readonly (int Parts, long Bytes, int Largest) Measure()
    {
        var (written, bytes, largest) = (0, 0L, 0);
        Add(_rootPushed);
        if (_parts is not null)
        {
            foreach (var part in _parts.Values)
                Add(part.Pushed);
        }

        return (ReplacesAll ? written : Count, bytes, largest);

        void Add(PushedPart? pushed)
        {
            if (pushed is null)
                return;
            written++;
            bytes += pushed.Bytes.Length;
            largest = Math.Max(largest, pushed.Bytes.Length);
        }
    }

    /// <summary>Makes a key's write of pushed parts.</summary>
    /// <param name="parts">Gets the parts, once emptied.</param>
    public readonly KeyWriteKind Collect(List<PartWrite> parts)
    {
        parts.Clear();
        Add(SubKey.Root, new MarkedPart(Root, _rootPushed), ReplacesAll, parts);
        if (_parts is not null)
        {
            foreach (var (name, part) in _parts)
                Add(name, part, ReplacesAll, parts);
        }

        // With a part, if only one that goes, the object exists, if only as an empty one.
        return !ReplacesAll ? KeyWriteKind.Merge : Count > 0 ? KeyWriteKind.Replace : KeyWriteKind.Delete;

        static void Add(SubKey name, MarkedPart part, bool replacesAll, List<PartWrite> parts)
        {
            if (part.Pushed is { } pushed)
                parts.Add(new PartWrite(name, false, pushed.Bytes));
            else if (part.Mark == PartMark.Deleted && !replacesAll)
                parts.Add(new PartWrite(name, true, default));
        }
    }

    /// <summary>Marks as dirty again what the callback had written: the store has not got it.</summary>
    public void Requeue()
    {
        Root = Before(new MarkedPart(Root, _rootPushed)).Mark;
        if (_parts is null)
            return;
        foreach (var part in _parts.Keys)
        {
            ref var marked = ref CollectionsMarshal.GetValueRefOrNullRef(_parts, part);
            marked = Before(marked);
        }

        static MarkedPart Before(MarkedPart part) => part.Mark switch
        {
            PartMark.Written => new MarkedPart(PartMark.Dirty, null),
            PartMark.Removed => new MarkedPart(PartMark.Deleted, null),
            _ => part,
        };
    }

    public void Clear()
    {
        ReplacesAll = false;
        Root = PartMark.None;
        _rootPushed = null;
        if (_parts is { Count: > MostKept })
            _parts = null;
        else
            _parts?.Clear();
    }

    private static bool IsAnswer(PartMark mark) => mark > PartMark.Deleted;

    private PartMark Mark(SubKey part, MarkedPart marked)
    {
        if (part.IsRoot)
        {
            var mark = Root;
            (Root, _rootPushed) = (marked.Mark, marked.Pushed);
            return mark;
        }

        ref var entry = ref CollectionsMarshal.GetValueRefOrAddDefault(_parts ??= [], part, out _);
        (var before, entry) = (entry, marked);
        return before.Mark;
    }

    /// <summary>A part's mark, and the bytes that came with it.</summary>
    private readonly record struct MarkedPart(PartMark Mark, PushedPart? Pushed);
}

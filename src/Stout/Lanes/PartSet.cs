using System.Runtime.InteropServices;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>The state of one part within a set of changes.</summary>
internal enum PartMark : byte
{
    /// <summary>Unchanged.</summary>
    None,

    /// <summary>Changed; the callback has to write it.</summary>
    Dirty,

    /// <summary>Changed; its bytes came with the change.</summary>
    Pushed,

    /// <summary>Deleted.</summary>
    Deleted,

    /// <summary>Was dirty; the callback has written it.</summary>
    Written,

    /// <summary>Was dirty; the callback has reported that the part no longer exists.</summary>
    Removed,
}

/// <summary>
/// The changed parts of one key, for the next batch or the present one. The part with the empty name has a field of its own, since most objects have
/// no other part. Each dirty key holds two of these structs; do not copy one in use.
/// </summary>
internal struct PartSet
{
    // Bounds the size of a dictionary that is reused: the cost of clearing it grows with the largest size that it ever had.
    private const int MostKept = 64;

    private Dictionary<SubKey, MarkedPart>? _parts;
    private PushedPart? _rootPushed;

    /// <summary>Whether the whole object was deleted before these parts were marked.</summary>
    public bool ReplacesAll { get; private set; }

    public PartMark Root { get; private set; }

    public readonly int Count => (Root == PartMark.None ? 0 : 1) + (_parts?.Count ?? 0);

    public readonly bool IsEmpty => !ReplacesAll && Root == PartMark.None && _parts is not { Count: > 0 };

    /// <summary>Whether the callback has written any part, or has reported any part as removed.</summary>
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

    /// <summary>Sets the mark of a part. The last mark wins.</summary>
    /// <returns>The part's previous mark.</returns>
    public PartMark Mark(SubKey part, PartMark mark) => Mark(part, new MarkedPart(mark, null)).Mark;

    /// <summary>Records a changed part with its bytes, or a removed part.</summary>
    /// <returns>The growth of the set's pushed parts, in bytes.</returns>
    public int Push(PushedPart part)
    {
        var replaced = Mark(part.Name, part.IsRemoval ? new MarkedPart(PartMark.Deleted, null) : new MarkedPart(PartMark.Pushed, part));
        return part.Bytes.Length - (replaced.Pushed?.Bytes.Length ?? 0);
    }

    /// <summary>Whether a part is changed in this set, and the size of its pushed bytes.</summary>
    public readonly bool Contains(SubKey part, out int bytes)
    {
        var marked = part.IsRoot ? new MarkedPart(Root, _rootPushed) : _parts?.GetValueOrDefault(part) ?? default;
        bytes = marked.Pushed?.Bytes.Length ?? 0;
        return marked.Mark != PartMark.None;
    }

    /// <summary>Adds the marks of a later set.</summary>
    public void Add(in PartSet later)
    {
        if (later.ReplacesAll)
            MarkAllDeleted();
        if (later.Root != PartMark.None)
            Mark(SubKey.Root, new MarkedPart(later.Root, later._rootPushed));
        if (later._parts is not null)
        {
            foreach (var (part, marked) in later._parts)
                Mark(part, marked);
        }
    }

    /// <summary>Adds the parts that have this mark to a list.</summary>
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

    /// <summary>Measures a write of pushed parts.</summary>
    /// <returns>The number of parts, the bytes of all parts, and the bytes of the largest.</returns>
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

    /// <summary>Builds a key's write from pushed parts.</summary>
    /// <param name="parts">Cleared, then filled with the parts.</param>
    public readonly KeyWriteKind Collect(List<PartWrite> parts)
    {
        parts.Clear();
        Add(SubKey.Root, new MarkedPart(Root, _rootPushed), ReplacesAll, parts);
        if (_parts is not null)
        {
            foreach (var (name, part) in _parts)
                Add(name, part, ReplacesAll, parts);
        }

        // A set with any part, even a removed one, makes the object exist, perhaps as an empty object.
        return !ReplacesAll ? KeyWriteKind.Merge : Count > 0 ? KeyWriteKind.Replace : KeyWriteKind.Delete;

        static void Add(SubKey name, MarkedPart part, bool replacesAll, List<PartWrite> parts)
        {
            if (part.Pushed is { } pushed)
                parts.Add(new PartWrite(name, false, pushed.Bytes));
            else if (part.Mark == PartMark.Deleted && !replacesAll)
                parts.Add(new PartWrite(name, true, default));
        }
    }

    /// <summary>Makes parts that the callback wrote dirty again, since the store does not have them.</summary>
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

    private MarkedPart Mark(SubKey part, MarkedPart marked)
    {
        if (part.IsRoot)
        {
            var root = new MarkedPart(Root, _rootPushed);
            (Root, _rootPushed) = (marked.Mark, marked.Pushed);
            return root;
        }

        ref var entry = ref CollectionsMarshal.GetValueRefOrAddDefault(_parts ??= [], part, out _);
        (var before, entry) = (entry, marked);
        return before;
    }

    /// <summary>A part's mark, and the bytes that came with it.</summary>
    private readonly record struct MarkedPart(PartMark Mark, PushedPart? Pushed);
}

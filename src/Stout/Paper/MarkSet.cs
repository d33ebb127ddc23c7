using System.Runtime.InteropServices;
using Stout.Lanes;

namespace Stout.Paper;

/// <summary>The marked parts of one key, for the next Serialize callback or the present one. Do not copy a struct in use.</summary>
internal struct MarkSet
{
    private PartMap<PartMark> _marks;

    /// <summary>Whether the whole object was deleted before these parts were marked.</summary>
    public readonly bool ReplacesAll => _marks.ReplacesAll;

    public readonly int Count => _marks.Count;

    public readonly bool IsEmpty => _marks.IsEmpty;

    /// <summary>Whether the callback has written any part, or has reported any part as removed.</summary>
    public readonly bool HasAnswers
    {
        get
        {
            if (_marks.TryGetRoot(out var root) && IsAnswer(root))
                return true;
            if (_marks.Others is null)
                return false;
            foreach (var mark in _marks.Others.Values)
            {
                if (IsAnswer(mark))
                    return true;
            }

            return false;
        }
    }

    public void MarkAllDeleted() => _marks.MarkAllDeleted();

    /// <summary>Sets the mark of a part. The last mark wins.</summary>
    /// <returns>The part's previous mark.</returns>
    public PartMark Mark(SubKey part, PartMark mark) => _marks.Set(part, mark);

    /// <summary>Adds the marks of a later set.</summary>
    public void Add(in MarkSet later) => _marks.Add(later._marks);

    /// <summary>Adds the parts that have this mark to a list.</summary>
    public readonly void CopyTo(List<SubKey> parts, PartMark mark)
    {
        if (_marks.TryGetRoot(out var root) && root == mark)
            parts.Add(SubKey.Root);
        if (_marks.Others is null)
            return;
        foreach (var (part, its) in _marks.Others)
        {
            if (its == mark)
                parts.Add(part);
        }
    }

    /// <summary>Makes parts that the callback wrote dirty again, since the store does not have them.</summary>
    public void Requeue()
    {
        if (_marks.TryGetRoot(out var root))
            _marks.Set(SubKey.Root, Before(root));
        if (_marks.Others is not { } others)
            return;
        foreach (var part in others.Keys)
        {
            ref var mark = ref CollectionsMarshal.GetValueRefOrNullRef(others, part);
            mark = Before(mark);
        }

        static PartMark Before(PartMark mark) => mark switch
        {
            PartMark.Written => PartMark.Dirty,
            PartMark.Removed => PartMark.Deleted,
            _ => mark,
        };
    }

    public void Clear() => _marks.Clear();

    private static bool IsAnswer(PartMark mark) => mark > PartMark.Deleted;
}

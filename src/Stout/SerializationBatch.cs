using System.Buffers;
using System.Runtime.InteropServices;
using Stout.Lanes;
using Stout.Storage;

namespace Stout;

/// <summary>The keys that the application is asked to serialize together. Valid until the callback has completed.</summary>
public sealed class SerializationBatch
{
    private readonly List<SerializationEntry> _entries = [];
    private readonly List<SubKey> _asked = [];
    private readonly List<SerializedPart> _parts = [];
    private readonly SerializedBytes _bytes = new();
    private int _openPart = -1;
    private volatile bool _isOver = true;

    internal SerializationBatch()
    {
    }

    /// <summary>The number of keys.</summary>
    public int Count => _entries.Count;

    /// <summary>One of the keys.</summary>
    /// <param name="index">0 to <see cref="Count"/> − 1.</param>
    public SerializationKey this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            if (!_isOver)
                LastAccessed = index;
            return new SerializationKey(this, index, Run);
        }
    }

    /// <summary>Tells this use of the object from earlier ones.</summary>
    internal long Run { get; private set; }

    /// <summary>The key that the callback looked at last, or called: the one to blame if it throws. −1 before it has looked at any.</summary>
    internal int LastAccessed { get; private set; }

    /// <summary>Whether the callback has completed or was given up.</summary>
    internal bool IsOver => _isOver;

    /// <summary>Whether the callback takes so long that other batches no longer wait for it.</summary>
    internal bool IsSlow { get; set; }

    /// <summary>Keys whose bytes are still needed.</summary>
    internal int Outstanding { get; set; }

    /// <summary>Whether a callback or request that was given up may still read or write the bytes, so that they can't be used again.</summary>
    internal bool IsAbandoned { get; private set; }

    /// <summary>One key's entry, for a call of the application on it.</summary>
    /// <exception cref="InvalidOperationException">The callback is over; the object may be in use for another by now.</exception>
    internal ref SerializationEntry EntryFor(int index, long run)
    {
        if (_isOver || run != Run)
            throw new InvalidOperationException("The Serialize callback is over: it has completed, or has taken too long.");
        LastAccessed = index;
        return ref Entry(index);
    }

    internal ref SerializationEntry Entry(int index) => ref CollectionsMarshal.AsSpan(_entries)[index];

    internal void Begin(long run)
    {
        Run = run;
        LastAccessed = -1;
        IsSlow = false;
        _isOver = false;
    }

    internal void Add(PendingWork work)
    {
        var first = _asked.Count;
        work.Carried.CopyTo(_asked, PartMark.Dirty);
        var asked = _asked.Count - first;
        _entries.Add(new SerializationEntry { Work = work, FirstAsked = first, Asked = asked, Unanswered = asked, FirstPart = -1, LastPart = -1 });
        Outstanding++;
    }

    internal ReadOnlySpan<SubKey> AskedOf(int index, long run)
    {
        ref var entry = ref EntryFor(index, run);
        return CollectionsMarshal.AsSpan(_asked).Slice(entry.FirstAsked, entry.Asked);
    }

    internal IBufferWriter<byte> Write(int index, long run, SubKey part)
    {
        Answer(index, run, part, PartMark.Written);
        _openPart = _parts.Count;
        Link(ref Entry(index), new SerializedPart { SubKey = part, Start = _bytes.Length, Next = -1 });
        return _bytes;
    }

    internal void Delete(int index, long run, SubKey part) => Answer(index, run, part, PartMark.Removed);

    internal void Replace(int index, long run)
    {
        ref var entry = ref EntryFor(index, run);
        if (entry.FirstPart >= 0 || entry.Work.Carried.HasAnswers)
            throw new InvalidOperationException("Replace comes before the parts are written.");
        entry.Work.Carried.MarkAllDeleted();
        entry.IsAnswered = true;
        entry.Unanswered = 0;
    }

    internal void Defer(int index, long run) => EntryFor(index, run).IsDeferred = true;

    internal void Fail(int index, long run, Exception error)
    {
        ArgumentNullException.ThrowIfNull(error);
        EntryFor(index, run).Error = error;
    }

    /// <summary>The callback has completed: from now on its calls throw.</summary>
    internal void End()
    {
        if (_isOver)
            return;
        EndPart();
        _bytes.IsSealed = true;
        _isOver = true;
    }

    /// <summary>The callback has taken too long: it may still run, so the memory is not used again.</summary>
    internal void Abandon()
    {
        _isOver = true;
        IsAbandoned = true;
    }

    /// <summary>How large the key's write is.</summary>
    /// <returns>The number of its parts, the bytes of all, and those of the largest.</returns>
    internal (int Parts, long Bytes, int Largest) Measure(int index)
    {
        ref var entry = ref Entry(index);
        var (written, bytes, largest) = (0, 0L, 0);
        for (var i = entry.FirstPart; i >= 0; i = _parts[i].Next)
        {
            written++;
            bytes += _parts[i].Length;
            largest = Math.Max(largest, _parts[i].Length);
        }

        return (entry.Work.Carried.ReplacesAll ? written : entry.Work.Carried.Count, bytes, largest);
    }

    /// <summary>Makes the key's write out of what the callback wrote.</summary>
    /// <param name="index">The key.</param>
    /// <param name="parts">Gets its parts, once emptied.</param>
    /// <param name="scratch">An empty list, left empty.</param>
    internal KeyWriteKind Collect(int index, List<PartWrite> parts, List<SubKey> scratch)
    {
        parts.Clear();
        ref var entry = ref Entry(index);
        for (var i = entry.FirstPart; i >= 0; i = _parts[i].Next)
            parts.Add(new PartWrite(_parts[i].SubKey, false, _bytes.Slice(_parts[i].Start, _parts[i].Length)));
        ref var carried = ref entry.Work.Carried;
        // With a part, if only one that goes, the object exists, if only as an empty one.
        if (carried.ReplacesAll)
            return carried.Count > 0 ? KeyWriteKind.Replace : KeyWriteKind.Delete;
        if (parts.Count == carried.Count)
            return KeyWriteKind.Merge;
        carried.CopyTo(scratch, PartMark.Deleted);
        carried.CopyTo(scratch, PartMark.Removed);
        foreach (var part in scratch)
            parts.Add(new PartWrite(part, true, default));
        scratch.Clear();
        return KeyWriteKind.Merge;
    }

    /// <summary>Forgets everything, for another use.</summary>
    internal void Clear()
    {
        _entries.Clear();
        _asked.Clear();
        _parts.Clear();
        _bytes.Clear();
        Outstanding = 0;
    }

    private void Answer(int index, long run, SubKey part, PartMark answer)
    {
        ref var entry = ref EntryFor(index, run);
        EndPart();
        ref var carried = ref entry.Work.Carried;
        var before = carried.Mark(part, answer);
        if (before is PartMark.Written or PartMark.Removed)
        {
            // The first answer holds, also for a callback that catches this.
            carried.Mark(part, before);
            throw new InvalidOperationException("The part was written or deleted already in this batch.");
        }

        entry.IsAnswered = true;
        if (before == PartMark.Dirty && entry.Unanswered > 0)
            entry.Unanswered--;
    }

    private void EndPart()
    {
        if (_openPart < 0)
            return;
        ref var part = ref CollectionsMarshal.AsSpan(_parts)[_openPart];
        part.Length = _bytes.Length - part.Start;
        _openPart = -1;
    }

    private void Link(ref SerializationEntry entry, SerializedPart part)
    {
        if (entry.FirstPart < 0)
            entry.FirstPart = _parts.Count;
        else
            CollectionsMarshal.AsSpan(_parts)[entry.LastPart].Next = _parts.Count;
        entry.LastPart = _parts.Count;
        _parts.Add(part);
    }
}

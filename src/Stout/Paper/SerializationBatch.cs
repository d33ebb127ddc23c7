using System.Buffers;
using System.Runtime.InteropServices;
using Stout.Lanes;
using Stout.Paper;

namespace Stout;

/// <summary>The keys of one Serialize callback. Valid until the callback has completed.</summary>
public sealed class SerializationBatch
{
    private readonly List<SerializationEntry> _entries = [];
    private readonly List<SubKey> _asked = [];
    private readonly List<SerializedPart> _parts = [];
    private readonly SerializedBytes _bytes = new();
    private int _usedParts;
    private int _openPart = -1;
    private volatile bool _isOver = true;

    internal SerializationBatch()
    {
    }

    /// <summary>The number of keys.</summary>
    public int Count => _entries.Count;

    /// <summary>The key at an index.</summary>
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

    /// <summary>Identifies the present use of this pooled object.</summary>
    internal long Run { get; private set; }

    /// <summary>The index of the key that the callback accessed last; −1 before the first access. If the callback throws, this key fails.</summary>
    internal int LastAccessed { get; private set; }

    /// <summary>Whether the callback has completed or was abandoned.</summary>
    internal bool IsOver => _isOver;

    /// <summary>Whether the callback is slow, so that other batches no longer wait for it.</summary>
    internal bool IsSlow { get; set; }

    /// <summary>The number of keys whose bytes are still in use.</summary>
    internal int Outstanding { get; set; }

    /// <summary>Whether an abandoned callback or request may still access the bytes, so that the object must not be reused.</summary>
    internal bool IsAbandoned { get; private set; }

    /// <summary>The entry of a key, for a call of the application.</summary>
    /// <exception cref="InvalidOperationException">The callback has ended, and the object may be in use by another batch.</exception>
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

    internal void Add(MarkedKey key)
    {
        var first = _asked.Count;
        key.Carried.CopyTo(_asked, PartMark.Dirty);
        var asked = _asked.Count - first;
        _entries.Add(new SerializationEntry { Key = key, FirstAsked = first, Asked = asked, Unanswered = asked, FirstPart = -1, LastPart = -1 });
        key.Batch = this;
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
        _openPart = _usedParts;
        NewPart(part);
        Link(ref Entry(index));
        return _bytes;
    }

    internal void Delete(int index, long run, SubKey part) => Answer(index, run, part, PartMark.Removed);

    internal void Replace(int index, long run)
    {
        ref var entry = ref EntryFor(index, run);
        if (entry.FirstPart >= 0 || entry.Key.Carried.HasAnswers)
            throw new InvalidOperationException("Replace comes before the parts are written.");
        entry.Key.Carried.MarkAllDeleted();
        entry.IsAnswered = true;
        entry.Unanswered = 0;
    }

    internal void Defer(int index, long run) => EntryFor(index, run).IsDeferred = true;

    internal void Fail(int index, long run, Exception error)
    {
        ArgumentNullException.ThrowIfNull(error);
        EntryFor(index, run).Error = error;
    }

    /// <summary>Ends the callback: later calls on the batch throw.</summary>
    internal void End()
    {
        if (_isOver)
            return;
        EndPart();
        _bytes.IsSealed = true;
        _isOver = true;
    }

    /// <summary>
    /// Abandons the batch after its callback or request has exceeded the time limit. The callback or request may still access the bytes, so the memory
    /// is not reused.
    /// </summary>
    internal void Abandon()
    {
        _isOver = true;
        IsAbandoned = true;
    }

    /// <summary>Pushes the parts that the callback wrote for a key, and those that were deleted.</summary>
    /// <param name="set">An empty set.</param>
    /// <param name="index">The key's index.</param>
    /// <param name="scratch">An empty list for temporary use; it is empty again afterwards.</param>
    internal void PushTo(ref PartSet set, int index, List<SubKey> scratch)
    {
        ref var entry = ref Entry(index);
        ref var carried = ref entry.Key.Carried;
        if (carried.ReplacesAll)
            set.MarkAllDeleted();
        for (var i = entry.FirstPart; i >= 0; i = _parts[i].Next)
        {
            _parts[i].Seal(_bytes);
            set.Push(_parts[i]);
        }

        if (set.Count == carried.Count)
            return;
        carried.CopyTo(scratch, PartMark.Deleted);
        carried.CopyTo(scratch, PartMark.Removed);
        foreach (var part in scratch)
        {
            var removal = NewPart(part);
            removal.IsRemoval = true;
            set.Push(removal);
        }

        scratch.Clear();
    }

    /// <summary>Clears the object for reuse.</summary>
    internal void Clear()
    {
        _entries.Clear();
        _asked.Clear();
        for (var i = 0; i < _usedParts; i++)
            _parts[i].Clear();
        _usedParts = 0;
        _bytes.Clear();
        Outstanding = 0;
    }

    private void Answer(int index, long run, SubKey part, PartMark answer)
    {
        ref var entry = ref EntryFor(index, run);
        EndPart();
        ref var carried = ref entry.Key.Carried;
        var before = carried.Mark(part, answer);
        if (before is PartMark.Written or PartMark.Removed)
        {
            // The first answer counts, even if the callback catches this exception.
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
        var part = _parts[_openPart];
        part.Length = _bytes.Length - part.Start;
        _openPart = -1;
    }

    private void Link(ref SerializationEntry entry)
    {
        if (entry.FirstPart < 0)
            entry.FirstPart = _openPart;
        else
            _parts[entry.LastPart].Next = _openPart;
        entry.LastPart = _openPart;
    }

    // The objects of parts stay with the batch, so that a pooled batch allocates none.
    private SerializedPart NewPart(SubKey name)
    {
        if (_usedParts == _parts.Count)
            _parts.Add(new SerializedPart());
        var part = _parts[_usedParts++];
        part.Begin(name, _bytes.Length);
        return part;
    }
}

using System.Buffers;
using System.Runtime.InteropServices;
using Stout.Lanes.Core;
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
    private SerializedPart? _openPart;
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

    internal void Add(PendingWork work)
    {
        var first = _asked.Count;
        work.Carried.CopyTo(_asked, MarkedPart.Dirty);
        var asked = _asked.Count - first;
        _entries.Add(new SerializationEntry { Work = work, FirstAsked = first, Asked = asked, Unanswered = asked });
        work.Late = this;
        Outstanding++;
    }

    internal ReadOnlySpan<SubKey> AskedOf(int index, long run)
    {
        ref var entry = ref EntryFor(index, run);
        return CollectionsMarshal.AsSpan(_asked).Slice(entry.FirstAsked, entry.Asked);
    }

    internal IBufferWriter<byte> Write(int index, long run, SubKey part)
    {
        Answer(index, run, part, isRemoval: false);
        _openPart = _parts[_usedParts - 1];
        return _bytes;
    }

    internal void Delete(int index, long run, SubKey part) => Answer(index, run, part, isRemoval: true);

    internal void Replace(int index, long run)
    {
        ref var entry = ref EntryFor(index, run);
        if (entry.Work.Carried.HasAny<SerializedPart>())
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

    /// <summary>Ends the callback: later calls on the batch throw.</summary>
    internal void End()
    {
        if (_isOver)
            return;
        EndPart();
        for (var i = 0; i < _usedParts; i++)
            _parts[i].Seal(_bytes);
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

    private void Answer(int index, long run, SubKey part, bool isRemoval)
    {
        ref var entry = ref EntryFor(index, run);
        EndPart();
        ref var carried = ref entry.Work.Carried;
        var before = carried.Find(part);
        // The first answer counts, even if the callback catches this exception.
        if (before is SerializedPart)
            throw new InvalidOperationException("The part was written or deleted already in this batch.");
        carried.Set(part, NewPart(isRemoval));
        entry.IsAnswered = true;
        if (ReferenceEquals(before, MarkedPart.Dirty) && entry.Unanswered > 0)
            entry.Unanswered--;
    }

    private void EndPart()
    {
        _openPart?.End(_bytes.Length);
        _openPart = null;
    }

    // The objects of parts stay with the batch, so a pooled batch allocates no parts.
    private SerializedPart NewPart(bool isRemoval)
    {
        if (_usedParts == _parts.Count)
            _parts.Add(new SerializedPart());
        var part = _parts[_usedParts++];
        part.Begin(isRemoval, _bytes.Length);
        return part;
    }
}

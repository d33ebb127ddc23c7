using Stout.Lanes;

namespace Stout.Paper;

/// <summary>The marks of one key: those for the next Serialize callback, and those of the callback or request under way. Pooled with its <see cref="PendingWork"/>.</summary>
internal sealed class MarkedKey(PendingWork work, PaperRoom room) : LateChanges
{
    /// <summary>The parts marked since the key's last callback.</summary>
    public MarkSet Dirty;

    /// <summary>The parts in the present batch. While the callback runs, they belong to it.</summary>
    public MarkSet Carried;

    public PendingWork Work => work;

    /// <summary>The batch that holds the key's bytes, or null.</summary>
    public SerializationBatch? Batch { get; set; }

    /// <summary>Identifies the present deferral; 0 while the key is not deferred.</summary>
    public long Deferral { get; set; }

    public override int Parts => Dirty.Count;

    /// <summary>Marks a part.</summary>
    public void Mark(SubKey part, PartMark mark)
    {
        Dirty.Mark(part, mark);
        BecomesDirty();
    }

    public void MarkAllDeleted()
    {
        Dirty.MarkAllDeleted();
        BecomesDirty();
    }

    public override void Freeze()
    {
        (Dirty, Carried) = (Carried, Dirty);
        IsDirty = false;
    }

    public override void Requeue()
    {
        Carried.Requeue();
        Carried.Add(Dirty);
        (Dirty, Carried) = (Carried, Dirty);
        IsDirty = true;
        Commit();
    }

    public override void Commit()
    {
        Carried.Clear();
        Release();
    }

    public override void Release()
    {
        if (Batch is not { } batch)
            return;
        Batch = null;
        room.Done(batch);
    }

    public override void Abandon() => Batch?.Abandon();

    // A key that is marked again is in the queue of keys to send at once.
    private void BecomesDirty()
    {
        IsDirty = true;
        Deferral = 0;
    }
}

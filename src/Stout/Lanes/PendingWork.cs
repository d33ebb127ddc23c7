namespace Stout.Lanes;

/// <summary>
/// What is undurable of one key: its row in the paper's dirty-key table, and those in its table of in-progress operations (figure 4).
/// A clean key has none. Taken from a pool, so that marking allocates nothing in the long run.
/// </summary>
internal sealed class PendingWork
{
    // Either a BusyKey or an exception: once an outcome is unknown, the key is repeated and no longer counts as busy.
    private object? _trouble;

    /// <summary>The key; null while the object lies in the pool.</summary>
    public KeyHandle Handle = null!;

    /// <summary>The parts marked since the last batch that carried the key.</summary>
    public PartSet Dirty;

    /// <summary>The parts that the present batch carries. While it is being serialized they belong to the callback.</summary>
    public PartSet Carried;

    /// <summary>How far the present batch has come with the key.</summary>
    public BatchState BatchState;

    /// <summary>Messages that wait for the present batch.</summary>
    public MessageQueue WaitingForCarried;

    /// <summary>Messages that wait for the batch which will carry what is dirty.</summary>
    public MessageQueue WaitingForDirty;

    /// <summary>Whether the key was marked while the present batch was being serialized, so that the batch may have picked up changes of the next.</summary>
    public bool PickedUpMore;

    /// <summary>Whether a committed batch may have picked up changes that still wait for their own: of them it can't be said that they are not in the store.</summary>
    public bool MayBeStored;

    /// <summary>When the oldest change was marked that the next batch has to carry.</summary>
    public Moment DirtySince = null!;

    /// <summary>When the oldest change was marked that the present batch carries.</summary>
    public Moment CarriedSince = null!;

    /// <summary>The spans of the calls that made the key dirty; null unless a listener traces batches.</summary>
    public Diagnostics.CallerSpans? Callers;

    /// <summary>Bytes that the load bounds count for this key.</summary>
    public long CountedBytes;

    /// <summary>When a key that the callback has left is asked for again.</summary>
    public TimeSpan DeferredUntil;

    /// <summary>How long the store has held the key back; null unless an attempt since the last commit ended as busy.</summary>
    public BusyKey? Busy { get => _trouble as BusyKey; set => _trouble = value; }

    /// <summary>What the store said last of a write whose outcome is unknown, or null.</summary>
    public Exception? UnknownCause { get => _trouble as Exception; set => _trouble = value; }

    /// <summary>The key's place among those to send.</summary>
    public WorkLink Place;

    /// <summary>The key's place among those that wait for a time limit; none where a callback or a request under way has its own.</summary>
    public WorkLink TimeLimit;

    /// <summary>Since when the key waits to be sent or, once its outcome is unknown, for that to be settled.</summary>
    public TimeSpan WaitsSince;

    /// <summary>Whether the bytes of what is dirty came with the changes, and their size in <see cref="CountedBytes"/>.</summary>
    public bool IsPushed;

    public bool IsDirty => !Dirty.IsEmpty;

    /// <summary>Whether the key waits for its own next attempt, and no batch takes it before.</summary>
    public bool IsHeldBack => Busy is { IsWaiting: true };

    /// <summary>The queue of keys to send that the key stands in, and the key behind it there.</summary>
    public WorkQueue? Queue => Place.Queue;

    /// <inheritdoc cref="Queue"/>
    public PendingWork? Next => Place.Next;
}

/// <summary>How far a batch has come with a key.</summary>
internal enum BatchState : byte
{
    /// <summary>No batch carries the key.</summary>
    None,

    /// <summary>The application is asked for its bytes.</summary>
    Serializing,

    /// <summary>Its bytes are there; the request has not left.</summary>
    Ready,

    /// <summary>Sent: until the answer says otherwise the store may have it.</summary>
    Sent,
}

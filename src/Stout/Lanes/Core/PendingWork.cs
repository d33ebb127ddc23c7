using System.Diagnostics;

namespace Stout.Lanes.Core;

/// <summary>
/// The undurable state of one key. It corresponds to the key's rows in the paper's dirty-key table and in-progress table (figure 4). A clean key has no
/// such object. Objects are pooled, so marking allocates nothing in the long run.
/// </summary>
[DebuggerDisplay("{Handle?.Key}, {BatchState}, {CountedBytes} bytes")]
internal sealed class PendingWork
{
    // Holds a BusyKey or an exception. One field suffices, since a key of unknown outcome no longer counts as busy.
    private object? _trouble;

    /// <summary>The key's handle; null while the object is pooled.</summary>
    public KeyHandle Handle = null!;

    /// <summary>The parts changed since the key's last batch.</summary>
    public PartSet Dirty;

    /// <summary>The parts in the present batch.</summary>
    public PartSet Carried;

    /// <summary>The client's object of the key, such as the owner of the present batch's bytes; null without one.</summary>
    public object? Late;

    /// <summary>The progress of the present batch with this key.</summary>
    public BatchState BatchState;

    /// <summary>Messages that wait for the present batch.</summary>
    public MessageQueue WaitingForCarried;

    /// <summary>Messages that wait for the next batch.</summary>
    public MessageQueue WaitingForDirty;

    /// <summary>Changes that exceed one store request together with the changes before them, and messages behind these changes.</summary>
    public PostponedChanges? Postponed;

    /// <summary>Whether the key was changed while the client made the bytes, so that the present batch may contain changes of the next one.</summary>
    public bool PickedUpMore;

    /// <summary>Whether a committed batch may contain changes that still count as dirty. If such changes fail, they may be in the store all the same.</summary>
    public bool MayBeStored;

    /// <summary>The time of the oldest change for the next batch.</summary>
    public Moment DirtySince = null!;

    /// <summary>The time of the oldest change in the present batch.</summary>
    public Moment CarriedSince = null!;

    /// <summary>The spans of the calls that made the key dirty; null unless a listener traces batches.</summary>
    public Diagnostics.CallerSpans? Callers;

    /// <summary>The bytes by which the key counts against the bound of undurable bytes.</summary>
    public long CountedBytes;

    /// <summary>The key's busy state; null unless an attempt since the last commit ended as busy.</summary>
    public BusyKey? Busy { get => _trouble as BusyKey; set => _trouble = value; }

    /// <summary>The store's last error about a write of unknown outcome, or null.</summary>
    public Exception? UnknownCause { get => _trouble as Exception; set => _trouble = value; }

    /// <summary>The links of the queue of keys to send.</summary>
    public WorkLink Place;

    /// <summary>The links of the queue of time limits; unused while a client's callback or a request in flight has its own limit.</summary>
    public WorkLink TimeLimit;

    /// <summary>The time since which the key waits to be sent or, after an unknown outcome, for the outcome to be settled.</summary>
    public TimeSpan WaitsSince;

    public bool IsDirty => !Dirty.IsEmpty;

    /// <summary>Whether the key waits for its own retry, and batches skip it.</summary>
    public bool IsHeldBack => Busy is { IsWaiting: true };

    /// <summary>The queue of keys to send that contains the key, and the next key in it.</summary>
    public WorkQueue? Queue => Place.Queue;

    /// <inheritdoc cref="Queue"/>
    public PendingWork? Next => Place.Next;
}

/// <summary>The progress of a batch with one key.</summary>
internal enum BatchState : byte
{
    /// <summary>No batch carries the key.</summary>
    None,

    /// <summary>The client makes the bytes.</summary>
    Gathering,

    /// <summary>The batch has its bytes, and its request has not been sent.</summary>
    Ready,

    /// <summary>The request is in flight: the store may have applied it.</summary>
    Sent,
}

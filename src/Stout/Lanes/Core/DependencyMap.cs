using Stout.Diagnostics;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>
/// Tracks dirty keys, and the messages that wait for their changes (the paper, section 4.3 and figure 4). At most one batch of a key is in flight;
/// newer changes wait for the next batch. Every operation is O(1).
/// </summary>
/// <param name="commands">The core's commands.</param>
/// <param name="telemetry">May be null.</param>
/// <param name="isLate">Whether the bytes of all changes come when their batch leaves.</param>
internal sealed class DependencyMap(List<LaneCommand> commands, LaneTelemetry? telemetry = null, bool isLate = false)
{
    // Bounds the pool of PendingWork objects. The pool suffices while at most so many keys are dirty at once, and takes little memory beside the keys.
    private const int MostPooled = 16_384;

    private readonly OpenHandles _handles = new();
    private readonly Stack<PendingWork> _pool = new();
    private readonly UndurableAges _ages = new();
    private long _lastBytesOfAKey;
    private long _undurableBytes;

    /// <summary>Dirty keys outside any batch, oldest first.</summary>
    public WorkQueue Dirty { get; } = new();

    /// <summary>Keys whose changes wait for a first request or are in it, ordered by <see cref="PendingWork.WaitsSince"/>.</summary>
    public WorkQueue Unsent { get; } = new(ofTimeLimits: true);

    /// <summary>Keys of unknown outcome, ordered by <see cref="PendingWork.WaitsSince"/>.</summary>
    public WorkQueue Unresolved { get; } = new(ofTimeLimits: true);

    /// <summary>The number of keys with undurable changes.</summary>
    public int UndurableKeys { get; private set; }

    /// <summary>
    /// The size of undurable keys in bytes. A key counts by its pushed bytes, otherwise by its last size until it is serialized; a new key counts by
    /// the mean size. Thread-safe.
    /// </summary>
    public long UndurableBytes => Volatile.Read(ref _undurableBytes);

    /// <summary>The mean size of the undurable keys in bytes; while there are no such keys, the size of the last one. 0 at first.</summary>
    public long BytesOfAKey => UndurableKeys > 0 ? UndurableBytes / UndurableKeys : _lastBytesOfAKey;

    /// <summary>The time of the oldest undurable change; null if everything is durable.</summary>
    public TimeSpan? OldestChange => _ages.Oldest;

    public int WaitingMessages { get; private set; }

    public int OpenKeys => _handles.Count;

    public OpenHandles Handles => _handles;

    public long MessagesReleased { get; private set; }

    public long KeysFailed { get; private set; }

    public KeyHandle? Find(PartitionKey key) => _handles.Find(key);

    public void Add(KeyHandle handle) => _handles.Add(handle);

    /// <summary>Records a change whose bytes come when its batch leaves.</summary>
    /// <param name="handle">An open handle.</param>
    /// <param name="part">The part; ignored if the whole object is deleted.</param>
    /// <param name="announced">The part's place-holder; null deletes the whole object.</param>
    /// <param name="now">The time.</param>
    public PendingWork Announce(KeyHandle handle, SubKey part, PushedPart? announced, TimeSpan now)
    {
        var work = BecomesDirty(handle, now);
        if (announced is null)
            work.Dirty.MarkAllDeleted();
        else
            work.Dirty.Set(part, announced);
        LineUp(work);
        return work;
    }

    /// <summary>
    /// Records a change that carries its bytes, and queues its message. A change is postponed while it exceeds the store's limits together with the key's
    /// undurable changes. After a temporary refusal by the store, all of these share one request.
    /// </summary>
    /// <param name="handle">An open handle.</param>
    /// <param name="change">The change, which fits into a request by itself.</param>
    /// <param name="limits">The store's limits.</param>
    /// <param name="now">The time.</param>
    public void Push(KeyHandle handle, PushedChange change, StorageLimits limits, TimeSpan now)
    {
        if (handle.Work is { } work && !(work.Postponed is null && HasRoomFor(change, work, limits)))
        {
            WaitingMessages++;
            Count(work, work.CountedBytes + change.Bytes);
            (work.Postponed ??= new PostponedChanges()).Add(change);
            return;
        }

        var isClean = handle.Work is null;
        work = BecomesDirty(handle, now);
        if (isClean)
            Count(work, 0);
        Count(work, work.CountedBytes + Push(work, change));
    }

    /// <summary>Adds a message. It is released at once if its key is neither dirty nor in flight.</summary>
    public void Send(KeyHandle handle, Message message)
    {
        WaitingMessages++;
        if (handle.Work is { } work)
        {
            Send(work, message);
            return;
        }

        message.Next = null;
        Release(handle, message, null);
    }

    /// <summary>
    /// Moves the dirty parts into the batch, before a client makes the bytes of late changes. A change made meanwhile therefore makes the key dirty again.
    /// </summary>
    public static void Freeze(PendingWork work)
    {
        work.Queue?.Remove(work);
        (work.Dirty, work.Carried) = (work.Carried, work.Dirty);
        work.WaitingForCarried.Append(ref work.WaitingForDirty);
        work.CarriedSince = work.DirtySince;
        work.Callers?.Freeze();
        work.BatchState = BatchState.Gathering;
    }

    /// <summary>Records that the batch of the key has its bytes. They may contain changes announced until now, but no later ones.</summary>
    /// <param name="work">The key.</param>
    /// <param name="bytes">The number of bytes.</param>
    public void BecomesReady(PendingWork work, long bytes)
    {
        work.PickedUpMore = work.IsDirty;
        work.BatchState = BatchState.Ready;
        Count(work, isLate ? bytes : Math.Max(bytes, work.CountedBytes));
        LimitAgain(work);
    }

    /// <summary>Records that a request with the key had no certain answer.</summary>
    public void BecomesUnknown(PendingWork work, Exception? cause, TimeSpan now)
    {
        work.UnknownCause = cause;
        if (work.TimeLimit.Queue == Unresolved)
            return;
        work.TimeLimit.Queue?.Remove(work);
        work.WaitsSince = now;
        Unresolved.AddLast(work);
    }

    /// <summary>Records that the batch's changes are durable, and releases their messages. The time limit of changes marked meanwhile starts now.</summary>
    public void Commit(PendingWork work, Stamp stamp, object? token, StorageLimits limits, TimeSpan now)
    {
        var handle = work.Handle;
        handle.Stored = stamp;
        handle.Token = token;
        work.Busy = null;
        work.Carried.Clear();
        _ages.End(work.CarriedSince);
        Release(handle, work.WaitingForCarried.TakeAll(), null);
        if (!isLate && (work.IsDirty || work.Postponed is not null))
            Count(work, work.Dirty.Measure().Bytes + (work.Postponed?.Bytes ?? 0));
        if (work.Postponed is not null)
            TakeUpPostponed(work, limits, now);
        work.BatchState = BatchState.None;
        if (work.IsDirty)
        {
            work.MayBeStored = work.PickedUpMore;
            Dirty.AddLast(work);
            work.TimeLimit.Queue?.Remove(work);
            work.WaitsSince = now;
            work.UnknownCause = null;
            Unsent.AddLast(work);
        }
        else
        {
            EndWork(work);
        }
    }

    /// <summary>Makes the batch's changes dirty again: they are certainly not in the store. Newer changes join them.</summary>
    public void Requeue(PendingWork work)
    {
        if (work.IsDirty)
            _ages.End(work.DirtySince);
        work.Carried.Requeue();
        work.Carried.Add(work.Dirty);
        (work.Dirty, work.Carried) = (work.Carried, work.Dirty);
        work.Carried.Clear();
        work.WaitingForCarried.Append(ref work.WaitingForDirty);
        (work.WaitingForDirty, work.WaitingForCarried) = (work.WaitingForCarried, work.WaitingForDirty);
        work.DirtySince = work.CarriedSince;
        work.Callers?.Requeue();
        work.BatchState = BatchState.None;
        LimitAgain(work);
    }

    /// <summary>Fails the key for good: its changes are dropped, its messages fail, and its handle stops working.</summary>
    public void Fail(KeyHandle handle, StoutException failure)
    {
        var work = handle.Work;
        if (work is { MayBeStored: true } && failure is NotAppliedException)
            failure = new OutcomeUnknownException(handle.Key, failure);
        Remove(handle, failure);
        KeysFailed++;
        telemetry?.KeyFailed(handle.Key, failure);
        if (work is null)
            return;
        if (work.IsDirty)
            _ages.End(work.DirtySince);
        if (work.BatchState != BatchState.None)
            _ages.End(work.CarriedSince);
        // A batch in flight may still refer to this object, so it does not return to the pool.
        work.Queue?.Remove(work);
        work.TimeLimit.Queue?.Remove(work);
        Uncount(work);
        work.WaitingForCarried.Append(ref work.WaitingForDirty);
        Release(handle, work.WaitingForCarried.TakeAll(), failure);
        // Postponed changes were not sent. The messages behind them depend on the failed changes, too.
        while (work.Postponed is { IsEmpty: false })
        {
            var postponed = work.Postponed.Take();
            Release(handle, postponed, postponed is PushedChange ? new HandleClosedException(handle.Key, failure) : failure);
        }
    }

    /// <summary>Fails the key; with <see cref="OutcomeUnknownException"/> if its batch was sent, and so may have been applied.</summary>
    public void Interrupt(KeyHandle handle, StoutException failure) =>
        Fail(handle, handle.Work is { BatchState: BatchState.Sent } ? new OutcomeUnknownException(handle.Key, failure) : failure);

    /// <summary>Closes a handle: with the reason if its key has failed, otherwise with null.</summary>
    public void Remove(KeyHandle handle, StoutException? because)
    {
        handle.Close(because);
        _handles.Remove(handle);
        if (_pool.Count > OpenKeys)
            _pool.Pop();
    }

    /// <summary>Takes up postponed changes that now fit, with the messages behind them. The key's batch is committed, but still counts as under way.</summary>
    private void TakeUpPostponed(PendingWork work, StorageLimits limits, TimeSpan now)
    {
        var postponed = work.Postponed!;
        while (postponed.First is { } first)
        {
            if (first is not PushedChange change)
            {
                work.WaitingForDirty.Enqueue(postponed.Take());
                continue;
            }

            if (!HasRoomFor(change, work, limits))
                return;
            postponed.Take();
            BecomesDirty(work.Handle, now);
            Count(work, work.CountedBytes - change.Bytes + Push(work, change));
            WaitingMessages--; // Both the postponing and Push have counted the message.
        }

        work.Postponed = null;
    }

    /// <summary>Adds a change to the key's next batch.</summary>
    /// <returns>The growth of that batch in bytes.</returns>
    private long Push(PendingWork work, PushedChange change)
    {
        var growth = 0L;
        if (change.DeletesObject)
        {
            growth -= work.Dirty.Measure().Bytes;
            work.Dirty.MarkAllDeleted();
        }

        for (var part = change.First; part is not null; part = part.NextOfChange)
            growth += work.Dirty.Push(part);
        LineUp(work);
        WaitingMessages++;
        work.WaitingForDirty.Enqueue(change);
        return growth;
    }

    private static void Send(PendingWork work, Message message)
    {
        if (work.Postponed is not null)
            work.Postponed.Add(message);
        else if (work.IsDirty)
            work.WaitingForDirty.Enqueue(message);
        else
            work.WaitingForCarried.Enqueue(message);
    }

    // A part in both the batch under way and the next one counts twice. A change that is postponed for that alone is taken up at the commit, before the next
    // batch leaves.
    private static bool HasRoomFor(PushedChange change, PendingWork work, StorageLimits limits)
    {
        var bytes = work.CountedBytes - (work.Postponed?.Bytes ?? 0) + change.Bytes;
        var parts = work.Dirty.Count + work.Carried.Count + change.PartCount;
        if (bytes <= limits.MaxChangeSetBytes && parts <= limits.MaxChangeSetParts)
            return true;
        for (var part = change.First; part is not null; part = part.NextOfChange)
        {
            if (work.Dirty.Find(part.Name) is not { } replaced)
                continue;
            bytes -= replaced.Bytes.Length;
            parts--;
        }

        return bytes <= limits.MaxChangeSetBytes && parts <= limits.MaxChangeSetParts;
    }

    private void Count(PendingWork work, long bytes)
    {
        Volatile.Write(ref _undurableBytes, _undurableBytes + bytes - work.CountedBytes);
        work.CountedBytes = bytes;
    }

    private void Uncount(PendingWork work)
    {
        if (UndurableKeys == 1)
            _lastBytesOfAKey = UndurableBytes;
        UndurableKeys--;
        Count(work, 0);
    }

    // A key leaves the queue Unsent if its time limit passes during a callback or a request. It then returns to the front of Unsent, since it is older than
    // all other keys there.
    private void LimitAgain(PendingWork work)
    {
        if (work.TimeLimit.Queue is null)
            Unsent.AddBefore(Unsent.First, work);
    }

    private PendingWork BecomesDirty(KeyHandle handle, TimeSpan now)
    {
        var work = handle.Work ?? BeginWork(handle, now);
        if (!work.IsDirty)
            work.DirtySince = _ages.Begin(now);
        return work;
    }

    /// <summary>Queues a dirty key, unless a batch carries it or it waits for its own retry.</summary>
    public void LineUp(PendingWork work)
    {
        if (work.BatchState != BatchState.None || work.Queue == Dirty || work.IsHeldBack)
            return;
        work.Queue?.Remove(work);
        Dirty.AddLast(work);
    }

    private PendingWork BeginWork(KeyHandle handle, TimeSpan now)
    {
        if (!_pool.TryPop(out var work))
            work = new PendingWork();
        work.Handle = handle;
        handle.SetWork(work);
        work.WaitsSince = now;
        Unsent.AddLast(work);
        var bytes = handle.LastBytes >= 0 ? handle.LastBytes : BytesOfAKey;
        UndurableKeys++;
        Count(work, bytes);
        return work;
    }

    private void EndWork(PendingWork work)
    {
        work.Handle.SetWork(null);
        work.TimeLimit.Queue?.Remove(work);
        Uncount(work);
        work.UnknownCause = null;
        work.Handle = null!;
        work.Callers = null;
        work.MayBeStored = false;
        if (_pool.Count < Math.Min(MostPooled, OpenKeys))
            _pool.Push(work);
    }

    private void Release(KeyHandle handle, Message? chain, StoutException? failure)
    {
        if (chain is null)
            return;
        for (var message = chain; message is not null; message = message.Next)
        {
            message.Failure = failure;
            WaitingMessages--;
            if (failure is null)
                MessagesReleased++;
        }

        commands.Add(new LaneCommand(LaneCommandKind.Release, chain, handle, failure));
    }
}

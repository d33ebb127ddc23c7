using Stout.Diagnostics;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>
/// Which messages wait for which changes (the paper, section 4.3 and figure 4), and which keys are dirty. A key has one batch in
/// flight at most; what is marked meanwhile waits for the next. Every operation is O(1) in the number of keys and messages.
/// </summary>
internal sealed class DependencyMap(List<LaneCommand> commands, LaneTelemetry? telemetry = null)
{
    // What is kept for the next keys that become dirty: enough for as many at a time, and little beside the keys themselves.
    private const int MostPooled = 16_384;

    private readonly OpenHandles _handles = new();
    private readonly Stack<PendingWork> _pool = new();
    private readonly UndurableAges _ages = new();
    private long _lastBytesOfAKey;
    private long _undurableBytes;

    /// <summary>Dirty keys that no batch carries, the one that has waited longest first.</summary>
    public WorkQueue Dirty { get; } = new();

    /// <summary>Dirty keys that the Serialize callback has left, in the order of their return.</summary>
    public WorkQueue Deferred { get; } = new();

    /// <summary>Keys that wait to be sent, or were sent, by <see cref="PendingWork.WaitsSince"/>.</summary>
    public WorkQueue Unsent { get; } = new(ofTimeLimits: true);

    /// <summary>Keys of unknown outcome, by <see cref="PendingWork.WaitsSince"/>.</summary>
    public WorkQueue Unresolved { get; } = new(ofTimeLimits: true);

    /// <summary>Keys with something undurable.</summary>
    public int UndurableKeys { get; private set; }

    /// <summary>
    /// Bytes of what is undurable: each key by what its marks tell, else by its last size until it is serialized; a new one by the mean. May be
    /// read by any thread.
    /// </summary>
    public long UndurableBytes => Volatile.Read(ref _undurableBytes);

    /// <summary>The mean bytes of an undurable key, now or when there last was one; 0 before the first.</summary>
    public long BytesOfAKey => UndurableKeys > 0 ? UndurableBytes / UndurableKeys : _lastBytesOfAKey;

    /// <summary>When the oldest change was marked that is not durable; null if there is none.</summary>
    public TimeSpan? OldestChange => _ages.Oldest;

    public int WaitingMessages { get; private set; }

    public int OpenKeys => _handles.Count;

    public OpenHandles Handles => _handles;

    public long MessagesReleased { get; private set; }

    public long KeysFailed { get; private set; }

    public KeyHandle? Find(PartitionKey key) => _handles.Find(key);

    public void Add(KeyHandle handle) => _handles.Add(handle);

    /// <summary>Notes a change.</summary>
    /// <param name="handle">An open handle.</param>
    /// <param name="part">The part; no matter where the whole object is deleted.</param>
    /// <param name="mark">What happens to it; <see cref="PartMark.None"/> for the deletion of the whole object.</param>
    /// <param name="now">The time.</param>
    public void Mark(KeyHandle handle, SubKey part, PartMark mark, TimeSpan now)
    {
        var work = BecomesDirty(handle, now);
        if (mark == PartMark.None)
            work.Dirty.MarkAllDeleted();
        else
            work.Dirty.Mark(part, mark);
        LineUp(work);
    }

    /// <summary>Notes a change whose bytes come with it, and has its message wait.</summary>
    /// <param name="handle">An open handle, of which all changes come with their bytes.</param>
    /// <param name="change">The change.</param>
    /// <param name="now">The time.</param>
    /// <param name="bytes">The bytes of all that is undurable of the key, with this change.</param>
    public void Push(KeyHandle handle, PushedChange change, TimeSpan now, long bytes)
    {
        var work = BecomesDirty(handle, now);
        work.IsPushed = true;
        Count(work, bytes);
        if (change.DeletesObject)
            work.Dirty.MarkAllDeleted();
        for (var part = change.First; part is not null; part = part.NextOfChange)
            work.Dirty.Push(part);
        LineUp(work);
        WaitingMessages++;
        work.WaitingForDirty.Enqueue(change);
    }

    /// <summary>Adds a message: released at once if its key is neither dirty nor in flight.</summary>
    public void Send(KeyHandle handle, Message message)
    {
        WaitingMessages++;
        var work = handle.Work;
        if (work is null)
        {
            message.Next = null;
            Release(handle, message, null);
            return;
        }

        if (work.IsDirty)
            work.WaitingForDirty.Enqueue(message);
        else
            work.WaitingForCarried.Enqueue(message);
    }

    /// <summary>
    /// What is dirty becomes what a batch carries, and nothing is dirty before the callback serializes, so that a change made meanwhile
    /// makes the key dirty again.
    /// </summary>
    public static void Freeze(PendingWork work)
    {
        work.Queue?.Remove(work);
        (work.Dirty, work.Carried) = (work.Carried, work.Dirty);
        work.WaitingForCarried.Append(ref work.WaitingForDirty);
        work.CarriedSince = work.DirtySince;
        work.Callers?.Freeze();
        work.BatchState = BatchState.Serializing;
    }

    /// <summary>The callback has ended. Changes marked until now may be among what it wrote; later ones are not.</summary>
    /// <param name="work">The key.</param>
    /// <param name="bytes">The bytes that it wrote.</param>
    public void Serialized(PendingWork work, long bytes)
    {
        work.PickedUpMore = work.IsDirty;
        work.BatchState = BatchState.Ready;
        Count(work, work.IsPushed ? Math.Max(bytes, work.CountedBytes) : bytes);
        LimitAgain(work);
    }

    /// <summary>A request with the key had no certain answer.</summary>
    public void BecomesUnknown(PendingWork work, Exception? cause, TimeSpan now)
    {
        work.UnknownCause = cause;
        if (work.TimeLimit.Queue == Unresolved)
            return;
        work.TimeLimit.Queue?.Remove(work);
        work.WaitsSince = now;
        Unresolved.AddLast(work);
    }

    /// <summary>The batch's changes are durable: so is all that waited for it. What was marked meanwhile waits to be sent from now on.</summary>
    public void Commit(PendingWork work, Stamp stamp, object? token, TimeSpan now)
    {
        var handle = work.Handle;
        handle.Stored = stamp;
        handle.Token = token;
        work.BatchState = BatchState.None;
        work.Busy = null;
        work.Carried.Clear();
        _ages.End(work.CarriedSince);
        Release(handle, work.WaitingForCarried.TakeAll(), null);
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

    /// <summary>The batch's changes are certainly not in the store: they are dirty again, and newer ones join them.</summary>
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

    /// <summary>
    /// The key has failed for good: it forgets its changes, all that waits for it fails, and its handle no longer works.
    /// </summary>
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
        // Not back to the pool: a batch under way may still refer to it.
        work.Queue?.Remove(work);
        work.TimeLimit.Queue?.Remove(work);
        Uncount(work);
        work.WaitingForCarried.Append(ref work.WaitingForDirty);
        Release(handle, work.WaitingForCarried.TakeAll(), failure);
    }

    /// <summary>Closes a handle, with the reason if its key has failed.</summary>
    public void Remove(KeyHandle handle, StoutException? because)
    {
        handle.Close(because);
        _handles.Remove(handle);
        if (_pool.Count > OpenKeys)
            _pool.Pop();
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

    // A key whose limit has passed while a callback or a request had it is older than all others.
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

    private void LineUp(PendingWork work)
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
        work.IsPushed = false;
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

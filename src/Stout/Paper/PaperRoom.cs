using Stout.Diagnostics;
using Stout.Lanes.Core;

namespace Stout.Paper;

/// <summary>
/// The paper's interface (section 4.4) as a client of a lane: marks, the Serialize and Deserialize callbacks, deferred keys, and the callbacks' time limits. It is
/// a pure state machine as <see cref="LaneCore"/> is, and runs inside the core's calls.
/// </summary>
internal sealed class PaperRoom : ILaneClient
{
    /// <summary>A callback that takes longer than this no longer delays other batches.</summary>
    private static readonly TimeSpan SlowCallback = TimeSpan.FromMilliseconds(20);

    /// <summary>The limit of concurrent callbacks, not counting slow ones. More of them would compete for the same processors.</summary>
    private const int MaxPromptCallbacks = 4;

    // Bounds the pool. A pooled batch keeps the capacity for its largest number of keys, and a stall could leave hundreds of them.
    private const int MostPooled = 8;

    private readonly StoutOptions _options;
    private readonly LaneTelemetry? _telemetry;
    private readonly DeadlineQueue<SerializationBatch> _slow;
    private readonly DeadlineQueue<SerializationBatch> _deadlines;
    private readonly DeadlineQueue<KeyFill> _fillDeadlines;
    private readonly DeadlineQueue<DeferredKey> _deferred;
    private readonly Stack<SerializationBatch> _pool = new();
    private LaneCore _core = null!;
    private long _runs;

    /// <param name="options">Validated options.</param>
    /// <param name="telemetry">Records events without influence on decisions; may be null.</param>
    public PaperRoom(StoutOptions options, LaneTelemetry? telemetry = null)
    {
        _options = options;
        _telemetry = telemetry;
        _slow = new(SlowCallback, static (batch, run) => batch.IsOver || batch.Run != run);
        _deadlines = new(options.CallbackTimeout, static (batch, run) => batch.IsOver || batch.Run != run);
        _fillDeadlines = new(options.CallbackTimeout, static (fill, _) => fill.IsOver);
        _deferred = new(options.DeferredKeyDelay, static (key, _) => key.IsOver);
    }

    /// <inheritdoc/>
    public int Gathering { get; private set; }

    /// <inheritdoc/>
    public bool CanGather => Gathering < MaxPromptCallbacks;

    /// <inheritdoc/>
    public TimeSpan LongestGathering => _options.CallbackTimeout;

    /// <inheritdoc/>
    public TimeSpan? NextWake => Earliest(Earliest(_slow.Next, _deadlines.Next), Earliest(_fillDeadlines.Next, _deferred.Next));

    /// <inheritdoc/>
    public void Join(LaneCore core) => _core = core;

    public void MarkDirty(KeyHandle handle, SubKey part, TimeSpan now) => Announce(handle, part, MarkedPart.Dirty, now);

    public void MarkDeleted(KeyHandle handle, SubKey part, TimeSpan now) => Announce(handle, part, MarkedPart.Deleted, now);

    public void MarkAllDeleted(KeyHandle handle, TimeSpan now) => Announce(handle, SubKey.Root, null, now);

    /// <inheritdoc/>
    public void BatchMayLeave(IReadOnlyList<PendingWork> keys, TimeSpan now)
    {
        if (!_pool.TryPop(out var batch))
            batch = new SerializationBatch();
        batch.Begin(++_runs);
        for (var i = 0; i < keys.Count; i++)
            batch.Add(keys[i]);
        Gathering++;
        _slow.Add(batch, batch.Run, now);
        _deadlines.Add(batch, batch.Run, now);
        _core.Call(batch);
    }

    /// <inheritdoc/>
    public void TakeUp(KeyFill fill, TimeSpan now)
    {
        _fillDeadlines.Add(fill, 0, now);
        _core.Call(fill);
    }

    /// <summary>Processes the end of a Deserialize callback.</summary>
    public void Deserialized(KeyFill fill, Exception? error) => _core.TakenUp(fill, error);

    /// <summary>
    /// Processes the end of a Serialize callback. After an exception, only the key that the callback accessed last fails; if the callback accessed no key,
    /// all keys of the batch fail. Other keys that were not serialized are serialized again later.
    /// </summary>
    public void Serialized(SerializationBatch batch, Exception? error, TimeSpan now)
    {
        if (batch.IsAbandoned)
            return;
        NoLongerPrompt(batch);
        // The release of the last key recycles the batch.
        for (int i = 0, count = batch.Count; i < count; i++)
        {
            ref var entry = ref batch.Entry(i);
            var work = entry.Work;
            if (work.Handle.IsClosed)
                Release(work);
            else if (entry.IsDeferred)
                Defer(work, now);
            else if (entry.Error is not null)
                Fail(work, NotAppliedReason.SerializationFailed, entry.Error);
            else if (error is not null && (batch.LastAccessed < 0 || batch.LastAccessed == i))
                Fail(work, NotAppliedReason.SerializationFailed, error);
            else if (error is not null && (entry.Unanswered > 0 || !entry.IsAnswered))
                Defer(work, now);
            else if (entry.Unanswered > 0)
                Fail(work, NotAppliedReason.SerializationFailed, IncompleteSerialization());
            else
                _core.Deliver(work);
        }
    }

    /// <inheritdoc/>
    public void Advance(TimeSpan now)
    {
        while (_slow.TryTakeDue(now, out var slow))
        {
            NoLongerPrompt(slow);
            _telemetry?.CallbackIsSlow(slow.Count);
        }

        while (_deadlines.TryTakeDue(now, out var batch))
        {
            NoLongerPrompt(batch);
            batch.Abandon();
            _telemetry?.CallbackHangs(batch.Count);
            for (var i = 0; i < batch.Count; i++)
            {
                if (batch.Entry(i).Work is { Handle.IsClosed: false } work)
                    Fail(work, NotAppliedReason.SerializationTimedOut, TimedOut());
            }
        }

        while (_fillDeadlines.TryTakeDue(now, out var fill))
            _core.TakenUp(fill, TimedOut());
        while (_deferred.TryTakeDue(now, out var deferred))
        {
            deferred.Work.Late = null;
            _core.LineUp(deferred.Work);
        }
    }

    /// <inheritdoc/>
    public void Release(PendingWork work)
    {
        var batch = (SerializationBatch)work.Late!;
        work.Late = null;
        if (--batch.Outstanding > 0 || batch.IsAbandoned)
            return;
        batch.Clear();
        if (_pool.Count < MostPooled)
            _pool.Push(batch);
    }

    /// <inheritdoc/>
    public void Abandon(PendingWork work) => ((SerializationBatch)work.Late!).Abandon();

    // A key that is marked is in the queue of keys to send, and so is no longer deferred.
    private void Announce(KeyHandle handle, SubKey part, MarkedPart? mark, TimeSpan now)
    {
        if (_core.Announce(handle, part, mark, now) is { Late: DeferredKey } work)
            work.Late = null;
    }

    // A key that was marked during the callback is serialized with the next batch.
    private void Defer(PendingWork work, TimeSpan now)
    {
        var isMarkedAgain = work.IsDirty;
        _core.PutBack(work);
        Release(work);
        if (isMarkedAgain)
        {
            _core.LineUp(work);
            return;
        }

        var deferred = new DeferredKey(work);
        work.Late = deferred;
        _deferred.Add(deferred, 0, now);
    }

    private void Fail(PendingWork work, NotAppliedReason reason, Exception error)
    {
        Release(work);
        _core.Fail(work, new NotAppliedException(work.Handle.Key, reason, error));
    }

    private void NoLongerPrompt(SerializationBatch batch)
    {
        if (batch.IsSlow)
            return;
        batch.IsSlow = true;
        Gathering--;
    }

    private static TimeSpan? Earliest(TimeSpan? a, TimeSpan? b) => a is null || b < a ? b : a;

    private static TimeoutException TimedOut() => new("The callback did not end in time.");

    private static InvalidOperationException IncompleteSerialization() =>
        new("The Serialize callback has neither written, deleted nor left a part that it was asked for.");
}

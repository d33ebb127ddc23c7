using Stout.Diagnostics;
using Stout.Lanes;

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
    private readonly DeadlineQueue<MarkedKey> _deferred;
    private readonly Stack<SerializationBatch> _pool = new();
    private readonly List<SubKey> _scratch = [];
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
        _deferred = new(options.DeferredKeyDelay, static (key, run) => key.Deferral != run || key.Work.Handle.IsClosed);
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

    public void MarkDirty(KeyHandle handle, SubKey part, TimeSpan now) => MarkedKeyOf(handle, now)?.Mark(part, PartMark.Dirty);

    public void MarkDeleted(KeyHandle handle, SubKey part, TimeSpan now) => MarkedKeyOf(handle, now)?.Mark(part, PartMark.Deleted);

    public void MarkAllDeleted(KeyHandle handle, TimeSpan now) => MarkedKeyOf(handle, now)?.MarkAllDeleted();

    /// <inheritdoc/>
    public void BatchMayLeave(IReadOnlyList<PendingWork> keys, TimeSpan now)
    {
        if (!_pool.TryPop(out var batch))
            batch = new SerializationBatch();
        batch.Begin(++_runs);
        for (var i = 0; i < keys.Count; i++)
            batch.Add((MarkedKey)keys[i].Late!);
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
            var key = entry.Key;
            if (key.Work.Handle.IsClosed)
                key.Release();
            else if (entry.IsDeferred)
                Defer(key, now);
            else if (entry.Error is not null)
                Fail(key, NotAppliedReason.SerializationFailed, entry.Error);
            else if (error is not null && (batch.LastAccessed < 0 || batch.LastAccessed == i))
                Fail(key, NotAppliedReason.SerializationFailed, error);
            else if (error is not null && (entry.Unanswered > 0 || !entry.IsAnswered))
                Defer(key, now);
            else if (entry.Unanswered > 0)
                Fail(key, NotAppliedReason.SerializationFailed, IncompleteSerialization());
            else
                Push(batch, i, key.Work);
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
                if (batch.Entry(i).Key is { Work.Handle.IsClosed: false } key)
                    Fail(key, NotAppliedReason.SerializationTimedOut, TimedOut());
            }
        }

        while (_fillDeadlines.TryTakeDue(now, out var fill))
            _core.TakenUp(fill, TimedOut());
        while (_deferred.TryTakeDue(now, out var deferred))
            _core.LineUp(deferred.Work);
    }

    /// <summary>Releases one key's bytes in a batch. The release of the last key recycles the batch.</summary>
    public void Done(SerializationBatch batch)
    {
        if (--batch.Outstanding > 0 || batch.IsAbandoned)
            return;
        batch.Clear();
        if (_pool.Count < MostPooled)
            _pool.Push(batch);
    }

    private MarkedKey? MarkedKeyOf(KeyHandle handle, TimeSpan now)
    {
        if (_core.Announce(handle, now) is not { } work)
            return null;
        return (MarkedKey)(work.Late ??= new MarkedKey(work, this));
    }

    /// <summary>Pushes the bytes that the callback wrote for a key.</summary>
    private void Push(SerializationBatch batch, int index, PendingWork work)
    {
        batch.PushTo(ref work.Carried, index, _scratch);
        _core.Deliver(work);
    }

    // A key that was marked during the callback is serialized with the next batch.
    private void Defer(MarkedKey key, TimeSpan now)
    {
        var isMarkedAgain = key.IsDirty;
        _core.PutBack(key.Work);
        if (isMarkedAgain)
        {
            _core.LineUp(key.Work);
            return;
        }

        key.Deferral = ++_runs;
        _deferred.Add(key, key.Deferral, now);
    }

    private void Fail(MarkedKey key, NotAppliedReason reason, Exception error)
    {
        key.Release();
        _core.Fail(key.Work, new NotAppliedException(key.Work.Handle.Key, reason, error));
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

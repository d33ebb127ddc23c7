using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes;

/// <content>Sends changes: the departure, the Serialize callback, and the split into requests.</content>
internal sealed partial class LaneCore
{
    /// <summary>A callback that takes longer than this no longer delays other batches.</summary>
    private static readonly TimeSpan SlowCallback = TimeSpan.FromMilliseconds(20);

    /// <summary>The limit of concurrent callbacks, not counting slow ones. More of them would compete for the same processors.</summary>
    private const int MaxPromptCallbacks = 4;

    // Bounds each of the two pools. A pooled batch or request keeps the capacity for its largest number of keys, and a stall could leave hundreds of them.
    private const int MostPooled = 8;

    private readonly DeadlineQueue<SerializationBatch> _slowCallbacks;
    private readonly DeadlineQueue<SerializationBatch> _callbackDeadlines;
    private readonly Stack<SerializationBatch> _batchPool = new();
    private readonly Stack<WriteRequest> _requestPool = new();
    private readonly Queue<ReadyKey> _ready = new();
    private readonly List<PartWrite> _parts = [];
    private readonly List<SubKey> _scratch = [];
    private BatchDeparture _departure;
    private int _departing;
    private int _promptCallbacks;
    private long _runs;
    private long _changes;

    private bool HasWork => _map.Dirty.Count > 0 || (_gate.PacesReads && HasReads);

    private bool CanSerialize =>
        _promptCallbacks < MaxPromptCallbacks && _promptCallbacks + _writes.Held < _gate.MaxInFlight && _ready.Count == 0;

    /// <summary>The most keys of one request, by the store's limit, the law, and recent failures of whole requests.</summary>
    private int MaxRequestKeys => Math.Min(Math.Min(_limits.MaxBatchKeys, _gate.MaxBatchKeys), _writeSize.Keys);

    /// <summary>
    /// The most dirty keys that the next request takes. The law's equal share applies only here, since SendReady must not divide the taken keys again.
    /// </summary>
    private int NextKeys => Math.Min(MaxRequestKeys, _gate.EqualPart(_map.UndurableKeys));

    /// <summary>Whether keys or paced reads wait and the in-flight limits allow them, so that only the departure's time holds a batch back.</summary>
    private bool CanDepart => (_map.Dirty.Count > 0 && CanSerialize) || (_gate.PacesReads && CanRead);

    /// <summary>
    /// Sends all dirty keys at the end of an interval, in as many requests as the limits need, and the paced reads with them. Later changes wait for
    /// the next departure, which does not wait for the answers to this one.
    /// </summary>
    private void Depart(TimeSpan now)
    {
        SendReady(now);
        if (CanDepart && _gate.IsDue(now))
        {
            _departing = _map.Dirty.Count;
            _departure = _gate.Depart(now, _departing);
            if (_gate.PacesReads)
                SendReads(_departure, now);
        }

        if (!_gate.PacesReads && now >= _gate.HeldUntil)
            SendReads(new BatchDeparture(now, TimeSpan.Zero, ApplicationLimited: true, Keys: 0), now);

        while (_departing > 0 && _map.Dirty.First is { } first && CanSerialize && now >= _gate.HeldUntil)
        {
            if (first.IsPushed)
                TakePushed(first, now);
            else
                Serialize(now);
        }

        if (_map.Dirty.Count == 0)
            _departing = 0;
    }

    private void Serialize(TimeSpan now)
    {
        if (!_batchPool.TryPop(out var batch))
            batch = new SerializationBatch();
        batch.Begin(++_runs);
        var most = Math.Min(NextKeys, _departing);
        long parts = 0, bytes = 0;
        while (batch.Count < most && _map.Dirty.First is { IsPushed: false } work)
        {
            parts += work.Dirty.Count;
            bytes += work.CountedBytes;
            if (batch.Count > 0 && (parts > _limits.MaxBatchParts || bytes > _limits.MaxBatchBytes))
                break;
            DependencyMap.Freeze(work);
            batch.Add(work);
        }

        _departing -= batch.Count;
        _promptCallbacks++;
        _slowCallbacks.Add(batch, batch.Run, now);
        _callbackDeadlines.Add(batch, batch.Run, now);
        _commands.Add(new LaneCommand(LaneCommandKind.Serialize, batch));
    }

    /// <summary>Builds one request from keys whose changes carry their bytes, and sends it.</summary>
    private void TakePushed(PendingWork? work, TimeSpan now)
    {
        var most = Math.Min(NextKeys, _departing);
        long parts = 0, bytes = 0;
        for (var keys = 0; keys < most && work is { IsPushed: true }; keys++)
        {
            var size = work.Dirty.Measure();
            parts += size.Parts;
            bytes += size.Bytes;
            if (keys > 0 && (parts > _limits.MaxBatchParts || bytes > _limits.MaxBatchBytes))
                break;
            DependencyMap.Freeze(work);
            _departing--;
            MakeReady(new ReadyKey(work, null, 0), size);
            work = _map.Dirty.First;
        }

        SendReady(now);
    }

    /// <summary>
    /// Processes the end of a Serialize callback. After an exception, only the key that the callback accessed last fails; if the callback accessed no key,
    /// all keys of the batch fail. Other keys that were not serialized are serialized again later.
    /// </summary>
    public void Serialized(SerializationBatch batch, Exception? error, TimeSpan now)
    {
        if (batch.IsAbandoned)
            return;
        NoLongerPrompt(batch);
        for (var i = 0; i < batch.Count; i++)
        {
            ref var entry = ref batch.Entry(i);
            var work = entry.Work;
            if (work.Handle.IsClosed)
                Done(batch);
            else if (entry.IsDeferred)
                Defer(batch, work, now);
            else if (entry.Error is not null)
                FailSerialization(batch, work, NotAppliedReason.SerializationFailed, entry.Error);
            else if (error is not null && (batch.LastAccessed < 0 || batch.LastAccessed == i))
                FailSerialization(batch, work, NotAppliedReason.SerializationFailed, error);
            else if (error is not null && (entry.Unanswered > 0 || !entry.IsAnswered))
                Defer(batch, work, now);
            else if (entry.Unanswered > 0)
                FailSerialization(batch, work, NotAppliedReason.SerializationFailed, IncompleteSerialization());
            else
                MakeReady(new ReadyKey(work, batch, i), batch.Measure(i));
        }
    }

    private void MakeReady(in ReadyKey ready, (int Parts, long Bytes, int Largest) size)
    {
        var work = ready.Work;
        var (parts, bytes, largest) = size;
        if (_limits.TooLarge(work.Handle.Key, largest, bytes, parts) is { } tooLarge)
        {
            Done(ready.Source);
            _map.Fail(work.Handle, tooLarge);
            return;
        }

        _map.Serialized(work, bytes);
        work.Handle.LastBytes = (int)Math.Min(bytes, int.MaxValue);
        _ready.Enqueue(ready);
    }

    /// <summary>Sends serialized keys in requests that keep the store's limits.</summary>
    private void SendReady(TimeSpan now)
    {
        while (_ready.Count > 0 && _writes.HasRoom && now >= _gate.HeldUntil)
        {
            var request = NewRequest();
            while (_ready.TryPeek(out var next) && request.Count < MaxRequestKeys)
            {
                var work = next.Work;
                if (work.Handle.IsClosed)
                {
                    _ready.Dequeue();
                    Done(next.Source);
                    continue;
                }

                var kind = next.Source?.Collect(next.Index, _parts, _scratch) ?? work.Carried.Collect(_parts);
                if (request.Count > 0 && !Fits(request.Batch))
                    break;
                _ready.Dequeue();
                var handle = work.Handle;
                request.Add(
                    new WriteEntry(work, next.Source),
                    NewWrite(handle, kind),
                    System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_parts));
                work.BatchState = BatchState.Sent;
            }

            Send(request, now);
        }
    }

    private bool Fits(WriteBatch batch)
    {
        var bytes = batch.Bytes;
        foreach (var part in _parts)
            bytes += part.Value.Length;
        return bytes <= _limits.MaxBatchBytes && batch.PartCount + _parts.Count <= _limits.MaxBatchParts;
    }

    private WriteRequest NewRequest()
    {
        if (!_requestPool.TryPop(out var request))
            request = new WriteRequest();
        request.Begin(++_runs);
        request.Departure = _departure;
        return request;
    }

    private void Send(WriteRequest request, TimeSpan now)
    {
        if (request.Count == 0)
        {
            request.IsOver = true;
            Recycle(request);
            return;
        }

        request.SentAt = now;
        _writes.Take(request, isRepeat: request.UnknownAttempts > 0);
        _slowWrites.Add(request, request.Run, now);
        _writeDeadlines.Add(request, request.Run, now);
        _commands.Add(new LaneCommand(LaneCommandKind.SendWrite, request));
    }

    private void Defer(SerializationBatch batch, PendingWork work, TimeSpan now)
    {
        var markedAgain = work.IsDirty;
        _map.Requeue(work);
        Done(batch);
        if (markedAgain)
        {
            _map.Dirty.AddLast(work);
            return;
        }

        work.DeferredUntil = now + _options.DeferredKeyDelay;
        _map.Deferred.AddLast(work);
    }

    private void TakeUpLeftKeys(TimeSpan now)
    {
        while (_map.Deferred.First is { } work && work.DeferredUntil <= now)
        {
            _map.Deferred.Remove(work);
            _map.Dirty.AddLast(work);
        }
    }

    private void ExpireCallbacks(TimeSpan now)
    {
        while (_slowCallbacks.TryTakeDue(now, out var slow))
        {
            NoLongerPrompt(slow);
            _telemetry?.CallbackIsSlow(slow.Count);
        }

        while (_callbackDeadlines.TryTakeDue(now, out var batch))
        {
            NoLongerPrompt(batch);
            batch.Abandon();
            _telemetry?.CallbackHangs(batch.Count);
            for (var i = 0; i < batch.Count; i++)
            {
                var work = batch.Entry(i).Work;
                if (!work.Handle.IsClosed)
                    FailSerialization(batch, work, NotAppliedReason.SerializationTimedOut, StoreErrors.CallbackTimedOut());
            }
        }

        while (_fillDeadlines.TryTakeDue(now, out var fill))
            FailFill(fill, new FillFailedException(fill.Handle.Key, StoreErrors.CallbackTimedOut()));
    }

    private void NoLongerPrompt(SerializationBatch batch)
    {
        if (batch.IsSlow)
            return;
        batch.IsSlow = true;
        _promptCallbacks--;
    }

    private void FailSerialization(SerializationBatch batch, PendingWork work, NotAppliedReason reason, Exception error)
    {
        Done(batch);
        _map.Fail(work.Handle, new NotAppliedException(work.Handle.Key, reason, error));
    }

    /// <summary>Releases one key's bytes in a serialization batch. The release of the last key recycles the batch.</summary>
    private void Done(SerializationBatch? batch)
    {
        if (batch is not null && --batch.Outstanding == 0)
            Recycle(batch);
    }

    private void Recycle(SerializationBatch batch)
    {
        if (batch.IsAbandoned)
            return;
        batch.Clear();
        if (_batchPool.Count < MostPooled)
            _batchPool.Push(batch);
    }

    private void Recycle(WriteRequest request)
    {
        if (request.IsAbandoned)
            return;
        request.Clear();
        if (_requestPool.Count < MostPooled)
            _requestPool.Push(request);
    }

    private KeyWrite NewWrite(KeyHandle handle, KeyWriteKind kind)
    {
        var owner = handle.Owner;
        return new KeyWrite(handle.Key, kind, handle.Stored, handle.Token, new Stamp(owner.Epoch, _writer, ++_sequence)) { Owner = owner };
    }

    private static InvalidOperationException IncompleteSerialization() =>
        new("The Serialize callback has neither written, deleted nor left a part that it was asked for.");
}

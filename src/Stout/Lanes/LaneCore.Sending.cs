using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes;

/// <content>From dirty to sent: the departure, the Serialize callback, and the splitting into requests.</content>
internal sealed partial class LaneCore
{
    /// <summary>A callback that takes longer than this no longer holds other batches back.</summary>
    private static readonly TimeSpan SlowCallback = TimeSpan.FromMilliseconds(20);

    /// <summary>Callbacks that may run side by side, slow ones apart. More would only compete for the same processors.</summary>
    private const int MaxPromptCallbacks = 4;

    // Each keeps room for as many keys as it once held; after a stall of the store there would be hundreds of them.
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

    /// <summary>The most keys of one request, by the store, the law, and what the store has lately answered in time.</summary>
    private int MaxRequestKeys => Math.Min(Math.Min(_limits.MaxBatchKeys, _gate.MaxBatchKeys), _writeSize.Keys);

    /// <summary>Whether only the time keeps a batch from leaving.</summary>
    private bool CanDepart => (_map.Dirty.Count > 0 && CanSerialize) || (_gate.PacesReads && CanRead);

    /// <summary>
    /// At the end of an interval everything that is dirty leaves, in as many requests as the limits ask for, and the reads beside it, unless they leave at once. What becomes dirty meanwhile waits for the next departure, which comes in its time even if this
    /// one still waits for places.
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
        var most = Math.Min(MaxRequestKeys, _departing);
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

    /// <summary>Takes the keys of one request whose bytes came with their changes, and sends it.</summary>
    private void TakePushed(PendingWork? work, TimeSpan now)
    {
        var most = Math.Min(MaxRequestKeys, _departing);
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
    /// The Serialize callback has ended. If it has thrown, the key at fault fails and those it had not come to are asked for again, so
    /// that one bad object does not stand in the way of the others.
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
        var key = work.Handle.Key;
        ChangeTooLargeException? tooLarge = null;
        if (largest > _limits.MaxValueBytes)
            tooLarge = new(key, largest, _limits.MaxValueBytes, ChangeLimit.ValueBytes);
        else if (bytes > _limits.MaxChangeSetBytes)
            tooLarge = new(key, bytes, _limits.MaxChangeSetBytes, ChangeLimit.ChangeSetBytes);
        else if (parts > _limits.MaxChangeSetParts)
            tooLarge = new(key, parts, _limits.MaxChangeSetParts, ChangeLimit.ChangeSetParts);
        if (tooLarge is not null)
        {
            Done(ready.Source);
            _map.Fail(work.Handle, tooLarge);
            return;
        }

        _map.Serialized(work, bytes);
        work.Handle.LastBytes = (int)Math.Min(bytes, int.MaxValue);
        _ready.Enqueue(ready);
    }

    /// <summary>Sends what is serialized, in requests that keep to the store's limits.</summary>
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
                    new KeyWrite(handle.Key, kind, handle.Stored, handle.Token, NextStamp(handle.Epoch)),
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

    /// <summary>One key's bytes are no longer needed.</summary>
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

    private Stamp NextStamp(long epoch) => new(epoch, _writer, ++_sequence);

    private static InvalidOperationException IncompleteSerialization() =>
        new("The Serialize callback has neither written, deleted nor left a part that it was asked for.");
}

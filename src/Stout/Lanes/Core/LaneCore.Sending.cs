using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <content>Sends changes: the departure, the bytes of late changes, and the split into requests.</content>
internal sealed partial class LaneCore
{
    // Bounds the pool. A pooled request keeps the capacity for its largest number of keys, and a stall could leave hundreds of them.
    private const int MostPooled = 8;

    private readonly Stack<WriteRequest> _requestPool = new();
    private readonly Queue<PendingWork> _ready = new();
    private readonly List<PartWrite> _parts = [];
    private readonly List<PendingWork> _leaving = [];
    private BatchDeparture _departure;
    private int _departing;
    private long _runs;
    private long _changes;

    private bool HasWork => _map.Dirty.Count > 0 || (_gate.PacesReads && HasReads);

    private bool CanSend
    {
        get
        {
            var gathering = 0;
            if (_client is not null)
            {
                if (!_client.CanGather)
                    return false;
                gathering = _client.Gathering;
            }

            return gathering + _writes.Held < _gate.MaxInFlight && _ready.Count == 0;
        }
    }

    /// <summary>The most keys of one request, by the store's limit, the law, and recent failures of whole requests.</summary>
    private int MaxRequestKeys => Math.Min(Math.Min(_limits.MaxBatchKeys, _gate.MaxBatchKeys), _writeSize.Keys);

    /// <summary>
    /// The most dirty keys that the next request takes. The law's equal share applies only here, since SendReady must not divide the taken keys again.
    /// </summary>
    private int NextKeys => Math.Min(MaxRequestKeys, _gate.EqualPart(_map.UndurableKeys));

    /// <summary>Whether keys or paced reads wait and the in-flight limits allow them, so that only the departure's time holds a batch back.</summary>
    private bool CanDepart => (_map.Dirty.Count > 0 && CanSend) || (_gate.PacesReads && CanRead);

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

        while (_departing > 0 && _map.Dirty.First is { } first && CanSend && now >= _gate.HeldUntil)
        {
            if (_client is null)
                TakePushed(first, now);
            else
                Gather(_client, now);
        }

        if (_map.Dirty.Count == 0)
            _departing = 0;
    }

    /// <summary>Tells the client that a batch of its late changes may leave.</summary>
    private void Gather(ILaneClient client, TimeSpan now)
    {
        var most = Math.Min(NextKeys, _departing);
        long parts = 0, bytes = 0;
        while (_leaving.Count < most && _map.Dirty.First is { } work)
        {
            parts += work.Dirty.Count;
            bytes += work.CountedBytes;
            if (_leaving.Count > 0 && (parts > _limits.MaxBatchParts || bytes > _limits.MaxBatchBytes))
                break;
            DependencyMap.Freeze(work);
            _leaving.Add(work);
        }

        _departing -= _leaving.Count;
        client.BatchMayLeave(_leaving, now);
        _leaving.Clear();
    }

    /// <summary>Builds one request from keys whose changes carry their bytes, and sends it.</summary>
    private void TakePushed(PendingWork? work, TimeSpan now)
    {
        var most = Math.Min(NextKeys, _departing);
        long parts = 0, bytes = 0;
        for (var keys = 0; keys < most && work is not null; keys++)
        {
            var size = work.Dirty.Measure();
            parts += size.Parts;
            bytes += size.Bytes;
            if (keys > 0 && (parts > _limits.MaxBatchParts || bytes > _limits.MaxBatchBytes))
                break;
            DependencyMap.Freeze(work);
            _departing--;
            MakeReady(work, size);
            work = _map.Dirty.First;
        }

        SendReady(now);
    }

    /// <summary>The bytes of a late change: the client has pushed them into <see cref="PendingWork.Carried"/>. They may contain changes announced until now.</summary>
    public void Deliver(PendingWork work) => MakeReady(work, work.Carried.Measure());

    /// <summary>Makes a late change wait again, outside the queue of keys to send, until <see cref="LineUp"/> or the key's next change.</summary>
    public void PutBack(PendingWork work) => _map.Requeue(work);

    /// <summary>Queues a key that was put back.</summary>
    public void LineUp(PendingWork work) => _map.LineUp(work);

    /// <summary>Fails a key whose bytes the client could not make.</summary>
    public void Fail(PendingWork work, NotAppliedException failure) => _map.Fail(work.Handle, failure);

    private void MakeReady(PendingWork work, (int Parts, long Bytes, int Largest) size)
    {
        var (parts, bytes, largest) = size;
        if (_limits.TooLarge(work.Handle.Key, largest, bytes, parts) is { } tooLarge)
        {
            Done(work);
            _map.Fail(work.Handle, tooLarge);
            return;
        }

        _map.BecomesReady(work, bytes);
        work.Handle.LastBytes = (int)Math.Min(bytes, int.MaxValue);
        _ready.Enqueue(work);
    }

    /// <summary>Sends ready keys in requests that keep the store's limits.</summary>
    private void SendReady(TimeSpan now)
    {
        while (_ready.Count > 0 && _writes.HasRoom && now >= _gate.HeldUntil)
        {
            var request = NewRequest();
            while (_ready.TryPeek(out var work) && request.Count < MaxRequestKeys)
            {
                if (work.Handle.IsClosed)
                {
                    _ready.Dequeue();
                    Done(work);
                    continue;
                }

                var kind = work.Carried.Collect(_parts);
                if (request.Count > 0 && !Fits(request.Batch))
                    break;
                _ready.Dequeue();
                var handle = work.Handle;
                request.Add(work, NewWrite(handle, kind), System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_parts));
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

    /// <summary>Lets the client reuse the memory of the key's bytes, which no request reads any more.</summary>
    private void Done(PendingWork work)
    {
        if (work.Late is not null)
            _client!.Release(work);
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
}

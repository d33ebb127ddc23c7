using System.Runtime.InteropServices;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>Sends changes: the departure, the bytes of late changes, and the split into requests.</summary>
/// <param name="limits">The store's limits.</param>
/// <param name="map">The dirty keys.</param>
/// <param name="gate">Decides when a batch may leave.</param>
/// <param name="requests">The write requests in flight.</param>
/// <param name="reads">The reads that leave with the batches.</param>
/// <param name="writer">128 random bits, never used before.</param>
/// <param name="client">Makes the bytes of late changes; null without one.</param>
internal sealed class WriteSender(
    StorageLimits limits, DependencyMap map, DepartureGate gate, RequestsInFlight<WriteRequest> requests, FillReads reads, Guid writer, ILaneClient? client)
{
    // Bounds the pool. A pooled request keeps the capacity for its largest number of keys, and a stall could leave hundreds of them.
    private const int MostPooled = 8;

    private readonly Stack<WriteRequest> _pool = new();
    private readonly Queue<PendingWork> _ready = new();
    private readonly List<PartWrite> _parts = [];
    private readonly List<PendingWork> _leaving = [];
    private BatchDeparture _departure;
    private int _departing;
    private long _runs;
    private long _sequence;

    /// <summary>Whether keys or paced reads wait to be sent.</summary>
    public bool HasWork => map.Dirty.Count > 0 || (gate.PacesReads && reads.IsWaiting);

    /// <summary>Whether keys that have their bytes wait for a request.</summary>
    public bool HasReady => _ready.Count > 0;

    /// <summary>Whether keys or paced reads wait and the in-flight limits allow them, so that only the departure's time holds a batch back.</summary>
    public bool CanDepart => (map.Dirty.Count > 0 && CanSend) || (gate.PacesReads && reads.CanSend);

    private bool CanSend
    {
        get
        {
            var gathering = 0;
            if (client is not null)
            {
                if (!client.CanGather)
                    return false;
                gathering = client.Gathering;
            }

            return gathering + requests.Held < gate.MaxInFlight && _ready.Count == 0;
        }
    }

    /// <summary>The most keys of one request, by the store's limit, the law, and recent failures of whole requests.</summary>
    private int MaxRequestKeys => Math.Min(Math.Min(limits.MaxBatchKeys, gate.MaxBatchKeys), requests.MostKeys);

    /// <summary>
    /// The most dirty keys that the next request takes. The law's equal share applies only here, since SendReady must not divide the taken keys again.
    /// </summary>
    private int NextKeys => Math.Min(MaxRequestKeys, gate.EqualPart(map.UndurableKeys));

    /// <summary>
    /// Sends all dirty keys at the end of an interval, in as many requests as the limits need, and the paced reads with them. Later changes wait for
    /// the next departure, which does not wait for the answers to this one.
    /// </summary>
    public void Depart(TimeSpan now)
    {
        SendReady(now);
        if (CanDepart && gate.IsDue(now))
        {
            _departing = map.Dirty.Count;
            _departure = gate.Depart(now, _departing);
            if (gate.PacesReads)
                reads.Send(_departure, now);
        }

        if (!gate.PacesReads && now >= gate.HeldUntil)
            reads.Send(new BatchDeparture(now, TimeSpan.Zero, ApplicationLimited: true, Keys: 0), now);

        while (_departing > 0 && map.Dirty.First is { } first && CanSend && now >= gate.HeldUntil)
        {
            if (client is null)
                TakePushed(first, now);
            else
                Gather(client, now);
        }

        if (map.Dirty.Count == 0)
            _departing = 0;
    }

    /// <summary>Tells the client that a batch of its late changes may leave.</summary>
    private void Gather(ILaneClient client, TimeSpan now)
    {
        var most = Math.Min(NextKeys, _departing);
        long parts = 0, bytes = 0;
        while (_leaving.Count < most && map.Dirty.First is { } work)
        {
            parts += work.Dirty.Count;
            bytes += work.CountedBytes;
            if (_leaving.Count > 0 && (parts > limits.MaxBatchParts || bytes > limits.MaxBatchBytes))
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
            if (keys > 0 && (parts > limits.MaxBatchParts || bytes > limits.MaxBatchBytes))
                break;
            DependencyMap.Freeze(work);
            _departing--;
            MakeReady(work, size);
            work = map.Dirty.First;
        }

        SendReady(now);
    }

    /// <summary>Takes a key whose batch has its bytes.</summary>
    /// <param name="work">The key.</param>
    /// <param name="size">The size of its parts.</param>
    public void MakeReady(PendingWork work, (int Parts, long Bytes, int Largest) size)
    {
        var (parts, bytes, largest) = size;
        if (limits.TooLarge(work.Handle.Key, largest, bytes, parts) is { } tooLarge)
        {
            Done(work);
            map.Fail(work.Handle, tooLarge);
            return;
        }

        map.BecomesReady(work, bytes);
        work.Handle.LastBytes = (int)Math.Min(bytes, int.MaxValue);
        _ready.Enqueue(work);
    }

    /// <summary>Sends ready keys in requests that keep the store's limits.</summary>
    private void SendReady(TimeSpan now)
    {
        while (_ready.Count > 0 && requests.HasRoom && now >= gate.HeldUntil)
        {
            var request = NewRequest(_departure, unknownAttempts: 0);
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
                request.Add(work, NewWrite(handle, kind), CollectionsMarshal.AsSpan(_parts));
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
        return bytes <= limits.MaxBatchBytes && batch.PartCount + _parts.Count <= limits.MaxBatchParts;
    }

    /// <summary>Begins a request.</summary>
    /// <param name="departure">The departure of its batch.</param>
    /// <param name="unknownAttempts">The number of earlier attempts at its keys with an unknown outcome.</param>
    public WriteRequest NewRequest(BatchDeparture departure, int unknownAttempts)
    {
        if (!_pool.TryPop(out var request))
            request = new WriteRequest();
        request.Begin(++_runs, departure, unknownAttempts);
        return request;
    }

    /// <summary>Sends a request, unless it has no keys.</summary>
    public void Send(WriteRequest request, TimeSpan now)
    {
        if (request.Count == 0)
        {
            request.IsOver = true;
            Recycle(request);
            return;
        }

        requests.Send(request, isRepeat: request.UnknownAttempts > 0, now);
    }

    /// <summary>Lets the client reuse the memory of the key's bytes, which no request reads any more.</summary>
    public void Done(PendingWork work)
    {
        if (work.Late is not null)
            client!.Release(work);
    }

    /// <summary>Pools a request that no call uses any more.</summary>
    public void Recycle(WriteRequest request)
    {
        if (request.IsAbandoned)
            return;
        request.Clear();
        if (_pool.Count < MostPooled)
            _pool.Push(request);
    }

    private KeyWrite NewWrite(KeyHandle handle, KeyWriteKind kind)
    {
        var owner = handle.Owner;
        return new KeyWrite(handle.Key, kind, handle.Stored, handle.Token, new Stamp(owner.Epoch, writer, ++_sequence)) { Owner = owner };
    }
}

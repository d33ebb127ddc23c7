using Stout.Argon.Amortization;
using Stout.Argon.Caching;

namespace Stout.Argon.Engine;

/// <summary>Starts, completes and releases reads and writes.</summary>
internal sealed partial class ArgonCore
{
    /// <summary>
    /// The error of a write or resize beyond <see cref="ObjectState.Reserved"/>: another resize came after the allocation. The caller allocates anew.
    /// </summary>
    public static Exception NoReservation { get; } = new InvalidOperationException("The write or resize has no reserved space.");

    /// <summary>Reads at most <see cref="Request.MaxBlocks"/> blocks, all within the object.</summary>
    public Request Read(ServiceState service, ObjectState target, long first, int count, TimeSpan now)
    {
        _now = now;
        var request = Rent(RequestKind.Read, service, target, first, count);
        ref var run = ref target.StreamOf(service).Run;
        run.Read(first, count);
        Estimate(request, run);
        Begin(request);
        return request;
    }

    /// <summary>Writes at most <see cref="Request.MaxBlocks"/> blocks.</summary>
    /// <param name="service">The writer.</param>
    /// <param name="target">The object.</param>
    /// <param name="first">The first block.</param>
    /// <param name="count">The number of blocks.</param>
    /// <param name="partialFirst">Whether the first block is written in part.</param>
    /// <param name="partialLast">Whether the last block is written in part.</param>
    /// <param name="end">The offset of the byte after the last written one.</param>
    /// <param name="now">The time.</param>
    public Request Write(ServiceState service, ObjectState target, long first, int count, bool partialFirst, bool partialLast, long end, TimeSpan now)
    {
        _now = now;
        var request = Rent(RequestKind.Write, service, target, first, count);
        (request.PartialFirst, request.PartialLast, request.Length) = (partialFirst, partialLast, end);
        var stream = target.StreamOf(service);
        stream.Writes.Read(first, count);
        Estimate(request, stream.Writes);
        // The frames of a single request are among those that the service pins.
        if (request.Sequential && stream.Writes.Length > count)
            NoteWritten(stream);
        Begin(request);
        return request;
    }

    /// <summary>
    /// Ends a request after the caller has copied the bytes: other requests may use the request's frames again, and written blocks become dirty.
    /// </summary>
    public void Release(Request request, TimeSpan now)
    {
        _now = now;
        if (request.Kind is RequestKind.Read or RequestKind.Write)
            Unpin(request);
        else if (request.Kind is RequestKind.Resize && request.Error is null)
            Changed(request.Object, request.Service);
        if (request.Hit)
            NoteHit(request);
        if (--request.Service.Running == 0)
            request.Service.IdleSince = now;
        request.Object.Active--;
        _endings++;
        if (ReferenceEquals(request.Object.Barrier, request))
            request.Object.Barrier = null;
        if (request.Object.Blocked.Count > 0 || _starved.Count > 0 || _removals.Count > 0 || request.Kind == RequestKind.Write)
            Settle();
        _running[request.Object.Disk]--;
        request.Reset();
        _requests.Push(request);
    }

    // The caller's thread may have waited for the lock or for a processor. Such a pause is no time of a hit, and would make the plan accept more misses.
    private void NoteHit(Request request)
    {
        var known = request.Service.HitTime > s_leastHitTime ? request.Service.HitTime : s_leastHitTime;
        var most = MostHitTime * request.Count * known;
        var took = _now - request.StartedAt;
        request.Service.Counters.Hit(took < most ? took : most, request.Count);
    }

    private Request Rent(RequestKind kind, ServiceState service, ObjectState target, long first, int count)
    {
        var request = _requests.TryPop(out var old) ? old : new Request();
        (request.Kind, request.Service, request.Object, request.First, request.Count) = (kind, service, target, first, count);
        request.StartedAt = _now;
        if (service.Running++ == 0)
            service.IdleTime += _now - service.IdleSince;
        _running[target.Disk]++;
        return request;
    }

    private void Begin(Request request)
    {
        var target = request.Object;
        if (target.Ended is null && (target.Barrier is not null || target.Blocked.Count > 0))
        {
            Block(request);
        }
        else
        {
            Start(request, first: true);
            if (request.Done)
            {
                request.Hit = request.Error is null && !request.Missed;
                return;
            }
        }

        Settle();
    }

    // A run of sequential blocks shares one positioning among the blocks of an access, another request among its own blocks.
    private void Estimate(Request request, in ReadRun run)
    {
        request.Sequential = run.Length > ReadRun.Threshold;
        request.BlockCost = CostOf(request, request.Sequential ? CeilingOf(request.Object.Disk) : request.Count);
    }

    private double CostOf(Request request, long blocks)
    {
        var cost = _disks[request.Object.Disk].Cost;
        return (cost.Positioning.TotalSeconds / blocks) + (Settings.BlockSize / cost.BytesPerSecond);
    }

    // Starts a request if it need not wait: takes all of its frames at once, or no frame. A waiting request holds nothing that others wait for, which
    // avoids deadlocks.
    private bool Start(Request request, bool first)
    {
        var broken = request.Kind == RequestKind.Write ? request.Object.Broken : null;
        if ((request.Object.Ended ?? broken) is { } error)
        {
            Fail(request, error);
            return true;
        }

        if (request.Kind == RequestKind.Write && request.Length > request.Object.Reserved)
        {
            Fail(request, NoReservation);
            return true;
        }

        if (Conflicts(request, out var needed))
        {
            if (first)
                Block(request);
            return false;
        }

        var partition = request.Service.Partition;
        Hold(request, 1);
        if (needed > 0 && ((first && partition.Waiting.Count > 0) || !Reserve(request.Service, needed)))
        {
            Hold(request, -1);
            if (first)
                Starve(partition, request);
            return false;
        }

        request.Started = true;
        request.Object.Active++;
        if (request.Kind == RequestKind.Read)
            StartRead(request);
        else
            StartWrite(request);
        request.Service.Pinned += request.Count;
        request.Service.MostPinned = Math.Max(request.Service.MostPinned, request.Service.Pinned);
        Check(request.Service);
        if (request.Remaining == 0)
            Complete(request);
        return true;
    }

    private void StartRead(Request request)
    {
        var target = request.Object;
        for (var i = 0; i < request.Count; i++)
        {
            var key = BlockKey.Of(target.Id, request.First + i);
            var absorbed = false;
            if (_map.TryGetValue(key, out var index))
            {
                ref var frame = ref _frames[index];
                if (frame.State == FrameState.Loading)
                    Await(request, frame.Io!);
                absorbed = !frame.Prefetched;
                Touch(index);
            }
            else
            {
                index = Load(request, key);
            }

            request.Frames[i] = index;
            Count(request, key, absorbed);
        }

        if (_loads.Count > 0)
            Prefetch(request);
        SendLoads(request);
    }

    private void StartWrite(Request request)
    {
        var target = request.Object;
        var blocks = target.Blocks;
        for (var i = 0; i < request.Count; i++)
        {
            var block = request.First + i;
            var key = BlockKey.Of(target.Id, block);
            var partial = (i == 0 && request.PartialFirst) || (i == request.Count - 1 && request.PartialLast);
            var absorbed = false;
            if (_map.TryGetValue(key, out var index))
            {
                absorbed = _frames[index].Dirty;
                Adopt(index, request.Service);
                Touch(index);
            }
            else if (partial && block < blocks)
            {
                index = Load(request, key);
            }
            else
            {
                index = Take(request.Service, target, key, FrameState.Valid);
                _frames[index].Pins++;
                request.Service.Partition.Blocks.Insert(index);
                request.Fresh |= 1u << i;
            }

            _frames[index].Exclusive = true;
            request.Frames[i] = index;
            Count(request, key, absorbed);
        }

        SendLoads(request);
    }

    private static void Await(Request request, DiskIo io)
    {
        request.Missed = true;
        if (io.Waiters.Count > 0 && ReferenceEquals(io.Waiters[^1], request))
            return;
        io.Waiters.Add(request);
        request.Remaining++;
    }

    private void Count(Request request, long key, bool absorbed)
    {
        var service = request.Service;
        var spent = absorbed || !request.Sequential ? request.BlockCost : CostOf(request, CeilingOf(request.Object.Disk, service));
        service.Counters.Count(absorbed, request.Sequential, request.BlockCost, spent);
        service.Profile.Reference(key, request.Kind == RequestKind.Write, request.Object.Flushes, request.BlockCost);
    }

    private void Complete(Request request)
    {
        request.Done = true;
        Completed.Add(request);
    }

    private void Fail(Request request, Exception error)
    {
        if (!request.Started)
        {
            request.Started = true;
            request.Count = 0;
            request.Object.Active++;
        }

        request.Error = error;
        Complete(request);
    }

    private void Unpin(Request request)
    {
        var target = request.Object;
        var written = request.Kind == RequestKind.Write;
        request.Service.Pinned -= request.Count;
        for (var i = 0; i < request.Count; i++)
        {
            var index = request.Frames[i];
            ref var frame = ref _frames[index];
            frame.Pins--;
            if (written)
                frame.Exclusive = false;
            // A failed write has copied no bytes, so a frame that it took for a new block has foreign bytes.
            if (written && request.Error is not null && (request.Fresh & (1u << i)) != 0 && frame.State != FrameState.Orphan)
                Drop(index);
            if (frame.State == FrameState.Orphan)
            {
                if (frame.Pins == 0)
                    Free(index);
            }
            else if (written && request.Error is null)
            {
                MarkDirty(index);
            }
        }

        if (!written || request.Error is not null)
            return;
        if (request.Length > target.Length)
        {
            target.Length = request.Length;
            target.Changes++;
        }

        Changed(target, request.Service);
    }
}

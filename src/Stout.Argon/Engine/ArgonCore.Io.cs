using Stout.Argon.Caching;

namespace Stout.Argon.Engine;

/// <summary>Processes completed device requests, flushes, and barriers (resize and forget).</summary>
internal sealed partial class ArgonCore
{
    /// <summary>Flushes an object: completes when all earlier writes and the length are on the device.</summary>
    public Request Flush(ServiceState service, ObjectState target, TimeSpan now)
    {
        _now = now;
        var request = Rent(RequestKind.Flush, service, target, 0, 0);
        if (target.Ended is null && (target.Barrier is not null || target.Blocked.Any(waiting => waiting.Kind is RequestKind.Resize or RequestKind.Forget)))
            Block(request);
        else
            StartFlush(request);
        Settle();
        return request;
    }

    /// <summary>Sets the length. A longer length is durable after the next flush, a shorter one when this request completes.</summary>
    public Request Resize(ServiceState service, ObjectState target, long length, TimeSpan now)
    {
        _now = now;
        return Raise(Rent(RequestKind.Resize, service, target, 0, 0), length);
    }

    /// <summary>Drops all frames of the object, including dirty ones, and fails all later requests of the object.</summary>
    /// <param name="service">The service.</param>
    /// <param name="target">The object.</param>
    /// <param name="reason">The error of the later requests.</param>
    /// <param name="now">The time.</param>
    public Request Forget(ServiceState service, ObjectState target, Exception reason, TimeSpan now)
    {
        _now = now;
        var request = Rent(RequestKind.Forget, service, target, 0, 0);
        request.Reason = reason;
        return Raise(request, 0);
    }

    /// <summary>Processes the end of a device request.</summary>
    /// <param name="io">The device request.</param>
    /// <param name="error">The error; null after success.</param>
    /// <param name="now">The time.</param>
    public void IoDone(DiskIo io, Exception? error, TimeSpan now)
    {
        _now = now;
        _disks[io.Object.Disk].Done(io, now);
        if (_disks[io.Object.Disk].CostChanged)
            Plan();
        _endings++;
        var target = io.Object;
        target.Active--;
        switch (io.Kind)
        {
            case DiskIoKind.Read:
                Loaded(io, error);
                break;
            case DiskIoKind.Write:
                Written(io, error);
                break;
            case DiskIoKind.Allocate:
                target.Allocation = null;
                if (target.Account is { } account)
                    account.Used -= io.Most - target.Reserved;
                if (error is null)
                    target.Reserved = Math.Max(target.Reserved, io.Length);
                break;
            case DiskIoKind.Sync or DiskIoKind.Resize:
                Synced(io, error);
                break;
        }

        foreach (var waiter in io.Waiters)
        {
            if (io.Kind != DiskIoKind.Write)
                waiter.Error ??= error;
            if (--waiter.Remaining == 0)
                Advance(waiter);
        }

        io.Reset();
        _ios.Push(io);
        if (target.Sync is null && target.Syncs.Count > 0)
            StartSync(target);
        if (target.Allocation is null)
            NextAllocation(target);
        Settle();
    }

    private void Advance(Request request)
    {
        var target = request.Object;
        if (request.Kind == RequestKind.Flush && request.Error is null)
        {
            if (target.Broken is { } broken)
            {
                request.Error = broken;
            }
            else if (!request.Syncing)
            {
                Sync(request);
                return;
            }
        }

        if (request.Kind == RequestKind.Resize && request.Error is null)
            target.Length = request.Length;
        Complete(request);
    }

    private void Loaded(DiskIo io, Exception? error)
    {
        io.Service.Counters.BlocksRead += io.Frames.Count;
        foreach (var index in io.Frames)
        {
            ref var frame = ref _frames[index];
            frame.Io = null;
            if (error is not null)
            {
                Drop(index);
                if (frame.Pins == 0)
                    Free(index);
                continue;
            }

            frame.State = FrameState.Valid;
            var partition = frame.Owner!.Partition;
            (frame.Prefetched ? partition.Unread : partition.Blocks).Insert(index);
        }
    }

    private void Written(DiskIo io, Exception? error)
    {
        io.Service.Counters.BlocksWritten += io.Frames.Count;
        if (error is not null)
            io.Object.Broken ??= error;
        foreach (var index in io.Frames)
        {
            ref var frame = ref _frames[index];
            frame.Io = null;
            frame.WritingBack = false;
            if (!frame.Dirty)
                continue;
            // A failed write is not repeated: the object is broken, and its flushes fail.
            frame.Dirty = false;
            frame.Owner!.Partition.Dirty--;
            io.Object.Dirty.Remove(BlockKey.BlockOf(frame.Key));
        }

        io.Object.Changes++;
        Changed(io.Object, io.Service);
    }

    private void Synced(DiskIo io, Exception? error)
    {
        var target = io.Object;
        if (ReferenceEquals(target.Sync, io))
            target.Sync = null;
        io.Service.Counters.Syncs++;
        if (error is not null)
        {
            target.Broken ??= error;
            return;
        }

        target.DurableChanges = Math.Max(target.DurableChanges, io.Changes);
        if (io.Kind == DiskIoKind.Resize)
            target.Reserved = RoundUp(io.Length);
    }

    private void StartFlush(Request request)
    {
        var target = request.Object;
        if ((target.Ended ?? target.Broken) is { } broken)
        {
            Fail(request, broken);
            return;
        }

        request.Started = true;
        target.Active++;
        target.Flushes++;
        foreach (var block in target.Dirty)
        {
            var index = _map[BlockKey.Of(target.Id, block)];
            if (_frames[index].Io is null)
                WriteBack(index);
            Await(request, _frames[index].Io!);
        }

        if (request.Remaining == 0)
            Sync(request);
    }

    // Flushes that come while a sync runs share the next one. Two syncs of one object at the device could end in either order. Then the older length
    // could stay on the disk.
    private void Sync(Request request)
    {
        request.Syncing = true;
        request.Remaining = 1;
        request.Object.Syncs.Add(request);
        if (request.Object.Sync is null)
            StartSync(request.Object);
    }

    private void StartSync(ObjectState target)
    {
        var io = RentIo(DiskIoKind.Sync, target.Syncs[0].Service, target, 0);
        (io.Length, io.Changes) = (target.Length, target.Changes);
        io.Waiters.AddRange(target.Syncs);
        target.Syncs.Clear();
        target.Sync = io;
        Send(io);
    }

    private Request Raise(Request request, long length)
    {
        request.Length = length;
        if (request.Object.Ended is { } ended)
            Fail(request, ended);
        else
            Block(request);
        Settle();
        return request;
    }

    // A barrier starts when no request of the object is in progress. Until its release, it excludes the object's other requests.
    private bool TryBarrier(Request request)
    {
        var target = request.Object;
        if (target.Active > 0)
            return false;
        request.Started = true;
        target.Active++;
        target.Barrier = request;
        if (request.Kind == RequestKind.Forget)
        {
            target.Ended = request.Reason;
            DropBeyond(target, 0);
            Complete(request);
            return true;
        }

        if (target.Broken is { } broken)
        {
            Fail(request, broken);
            return true;
        }

        // An earlier resize may have taken the space that the caller had allocated.
        if (request.Length > target.Reserved)
        {
            Fail(request, NoReservation);
            return true;
        }

        DropBeyond(target, RoundUp(request.Length) / Settings.BlockSize);
        target.Changes++;
        if (request.Length >= target.Length)
        {
            target.Length = request.Length;
            Complete(request);
            return true;
        }

        var io = RentIo(DiskIoKind.Resize, request.Service, target, 0);
        (io.Length, io.Changes) = (request.Length, target.Changes);
        io.Waiters.Add(request);
        request.Remaining = 1;
        Send(io);
        return true;
    }

    // Takes time in proportion to the object's cached blocks: all services wait for the lock meanwhile.
    private void DropBeyond(ObjectState target, long kept)
    {
        for (var index = target.Frames.Oldest; index != NodeLinks.None;)
        {
            var next = target.Frames.NewerThan(index);
            Examined++;
            var block = BlockKey.BlockOf(_frames[index].Key);
            if (block >= kept)
            {
                target.Dirty.Remove(block);
                Drop(index);
                Free(index);
            }

            index = next;
        }
    }

    private long RoundUp(long bytes) => (bytes + Settings.BlockSize - 1) / Settings.BlockSize * Settings.BlockSize;
}

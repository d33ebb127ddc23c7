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
        if (target.Barrier is not null || target.Blocked.Any(waiting => waiting.Kind is RequestKind.Resize or RequestKind.Forget))
            Block(request);
        else
            StartFlush(request);
        Settle();
        return request;
    }

    /// <summary>Sets the length. A longer length is durable after the next flush, a shorter one when this request completes.</summary>
    public Request Resize(ServiceState service, ObjectState target, long length, TimeSpan now) => Raise(RequestKind.Resize, service, target, length, now);

    /// <summary>Drops all frames of the object, including dirty ones.</summary>
    public Request Forget(ServiceState service, ObjectState target, TimeSpan now) => Raise(RequestKind.Forget, service, target, 0, now);

    /// <summary>Processes the end of a device request.</summary>
    /// <param name="io">The device request.</param>
    /// <param name="error">The error; null after success.</param>
    /// <param name="now">The time.</param>
    public void IoDone(DiskIo io, Exception? error, TimeSpan now)
    {
        _now = now;
        _disks[io.Object.Disk].Done(io, now);
        io.Object.Active--;
        if (io.Kind == DiskIoKind.Read)
            Loaded(io, error);
        else if (io.Kind == DiskIoKind.Write)
            Written(io, error);
        else if (error is not null)
            io.Object.Broken ??= error;
        if (io.Kind == DiskIoKind.Sync)
            io.Service.Counters.Syncs++;
        foreach (var waiter in io.Waiters)
        {
            if (io.Kind != DiskIoKind.Write)
                waiter.Error ??= error;
            if (--waiter.Remaining == 0)
                Advance(waiter);
        }

        io.Reset();
        _ios.Push(io);
        Settle();
    }

    private void Advance(Request request)
    {
        if (request.Kind == RequestKind.Flush && request.Error is null)
        {
            if (request.Object.Broken is { } broken)
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
            request.Object.Length = request.Length;
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
    }

    private void StartFlush(Request request)
    {
        var target = request.Object;
        request.Started = true;
        target.Active++;
        if (target.Broken is { } broken)
        {
            Fail(request, broken);
            return;
        }

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

    private void Sync(Request request)
    {
        request.Syncing = true;
        var io = RentIo(DiskIoKind.Sync, request.Service, request.Object, 0);
        io.Length = request.Object.Length;
        io.Waiters.Add(request);
        request.Remaining = 1;
        Send(io);
    }

    private Request Raise(RequestKind kind, ServiceState service, ObjectState target, long length, TimeSpan now)
    {
        _now = now;
        var request = Rent(kind, service, target, 0, 0);
        request.Length = length;
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
        if (request.Kind == RequestKind.Resize && target.Broken is { } broken)
        {
            Fail(request, broken);
            return true;
        }

        var kept = request.Kind == RequestKind.Forget ? 0 : (request.Length + Settings.BlockSize - 1) / Settings.BlockSize;
        DropBeyond(target, kept);
        if (request.Kind == RequestKind.Forget || request.Length >= target.Length)
        {
            target.Length = request.Kind == RequestKind.Forget ? target.Length : request.Length;
            Complete(request);
            return true;
        }

        var io = RentIo(DiskIoKind.Resize, request.Service, target, 0);
        io.Length = request.Length;
        io.Waiters.Add(request);
        request.Remaining = 1;
        Send(io);
        return true;
    }

    private void DropBeyond(ObjectState target, long kept)
    {
        foreach (var index in _map.Where(pair => BlockKey.ObjectOf(pair.Key) == target.Id && BlockKey.BlockOf(pair.Key) >= kept).Select(pair => pair.Value).ToList())
        {
            target.Dirty.Remove(BlockKey.BlockOf(_frames[index].Key));
            Drop(index);
            Free(index);
        }
    }
}

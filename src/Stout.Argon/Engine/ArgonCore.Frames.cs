using Stout.Argon.Caching;
using Stout.Argon.Scheduling;

namespace Stout.Argon.Engine;

/// <summary>Takes, loads, evicts and writes back frames.</summary>
internal sealed partial class ArgonCore
{
    private readonly List<int> _loads = [];

    // Evicts blocks until `needed` frames can be taken; false if too few can be evicted now.
    private bool Reserve(ServiceState service, int needed)
    {
        var partition = service.Partition;
        while (needed > partition.Target - partition.Used || needed > _free.Count)
        {
            if (!Evict(service, demand: true))
                return false;
        }

        return true;
    }

    // Frees one frame of the service's partition.
    private bool Evict(ServiceState service, bool demand)
    {
        var partition = service.Partition;
        _cleaner = service;
        var victim = partition.Victim(_clean);
        _cleaner = null;
        if (victim == NodeLinks.None && (demand || partition.Unread.Count > partition.Target / 2))
            victim = partition.UnreadVictim();
        if (victim == NodeLinks.None)
            return false;
        Drop(victim);
        Free(victim);
        return true;
    }

    private void Drop(int index)
    {
        ref var frame = ref _frames[index];
        _map.Remove(frame.Key);
        frame.Object!.Frames.Remove(index);
        var partition = frame.Owner!.Partition;
        if (frame.State == FrameState.Valid)
            (frame.Prefetched ? partition.Unread : partition.Blocks).Remove(index);
        if (frame.Dirty)
        {
            frame.Dirty = false;
            partition.Dirty--;
        }

        frame.State = FrameState.Orphan;
    }

    private void Free(int index)
    {
        _frames[index].Owner!.Partition.Used--;
        _frames[index] = default;
        _free.Push(index);
    }

    private int Take(ServiceState service, ObjectState target, long key, FrameState state)
    {
        var index = _free.Pop();
        _frames[index] = new Frame { Key = key, Object = target, Owner = service, State = state };
        target.Frames.Insert(index);
        service.Partition.Used++;
        _map.Add(key, index);
        return index;
    }

    private int Load(Request request, long key)
    {
        var index = Take(request.Service, request.Object, key, FrameState.Loading);
        _frames[index].Pins++;
        request.Missed = true;
        _loads.Add(index);
        return index;
    }

    private void Prefetch(Request request)
    {
        var target = request.Object;
        var ceiling = CeilingOf(target.Disk, request.Service);
        var stream = target.StreamOf(request.Service);
        var wanted = stream.Run.Prefetch(request.Count, ceiling);
        if (wanted == 0)
            return;
        NoteStream(stream);
        var end = Math.Min(target.Blocks, request.First + request.Count + wanted);
        for (var block = request.First + request.Count; block < end; block++)
        {
            var key = BlockKey.Of(target.Id, block);
            if (_map.ContainsKey(key))
                continue;
            var partition = request.Service.Partition;
            if ((partition.Used >= partition.Target || _free.Count == 0) && !Evict(request.Service, demand: false))
                return;
            var index = Take(request.Service, target, key, FrameState.Loading);
            _frames[index].Prefetched = true;
            _loads.Add(index);
        }
    }

    // Sends one device request for each contiguous run of the blocks to load.
    private void SendLoads(Request request)
    {
        for (var i = 0; i < _loads.Count;)
        {
            var first = _frames[_loads[i]].Key;
            var io = RentIo(DiskIoKind.Read, request.Service, request.Object, BlockKey.BlockOf(first));
            var most = LargestIo(request.Object.Disk, DiskIoKind.Read);
            for (; i < _loads.Count && io.Frames.Count < most && _frames[_loads[i]].Key == first + io.Frames.Count; i++)
            {
                ref var frame = ref _frames[_loads[i]];
                frame.Io = io;
                io.Frames.Add(_loads[i]);
                if (frame.Pins > 0)
                    Await(request, io);
            }

            Send(io);
        }

        _loads.Clear();
    }

    private void Touch(int index)
    {
        ref var frame = ref _frames[index];
        var partition = frame.Owner!.Partition;
        if (frame.Prefetched)
        {
            frame.Prefetched = false;
            if (frame.State != FrameState.Valid)
                return;
            partition.Unread.Remove(index);
            partition.Blocks.Insert(index);
        }
        else if (frame.State == FrameState.Valid)
        {
            partition.Blocks.Touch(index);
        }
    }

    // A written block belongs to its writer's partition, so the frame's owner changes.
    private void Adopt(int index, ServiceState service)
    {
        ref var frame = ref _frames[index];
        var (old, now) = (frame.Owner!.Partition, service.Partition);
        frame.Owner = service;
        if (old == now)
            return;
        (frame.Prefetched ? old.Unread : old.Blocks).Remove(index);
        old.Used--;
        now.Used++;
        if (frame.Dirty)
        {
            old.Dirty--;
            now.Dirty++;
        }

        (frame.Prefetched ? now.Unread : now.Blocks).Insert(index);
    }

    private void MarkDirty(int index)
    {
        ref var frame = ref _frames[index];
        if (frame.Dirty)
            return;
        frame.Dirty = true;
        var partition = frame.Owner!.Partition;
        partition.Dirty++;
        frame.Object!.Dirty.Add(BlockKey.BlockOf(frame.Key));
        // A read would have to wait for a frame if all blocks of the partition were dirty. So when more than three quarters of the partition's frames are
        // dirty, the oldest dirty blocks are written back.
        if (partition.Dirty > partition.Target - (partition.Target / 4))
            partition.Clean(Math.Max(1, partition.Target / 16), _clean);
    }

    // Writes a dirty block with its contiguous dirty neighbors (the paper, section 4.3), in consecutive device requests.
    private void WriteBack(int index)
    {
        var owner = _frames[index].Owner!;
        var key = _frames[index].Key;
        var target = _frames[index].Object!;
        var ceiling = CeilingOf(target.Disk, owner);
        var (first, end) = (key, key + 1);
        while (end - first < ceiling && Joins(first - 1, owner))
            first--;
        while (end - first < ceiling && Joins(end, owner))
            end++;
        var most = LargestIo(target.Disk, DiskIoKind.Write);
        var payer = Settings.ChargeReader && _cleaner is not null ? _cleaner : owner;
        for (var next = first; next < end;)
        {
            var io = RentIo(DiskIoKind.Write, payer, target, BlockKey.BlockOf(next));
            for (; next < end && io.Frames.Count < most; next++)
            {
                var frame = _map[next];
                _frames[frame].Io = io;
                io.Frames.Add(frame);
            }

            Send(io);
        }
    }

    private bool Joins(long key, ServiceState owner) =>
        _map.TryGetValue(key, out var index) && _frames[index] is { Dirty: true, Io: null } frame && frame.Owner == owner;

    private DiskIo RentIo(DiskIoKind kind, ServiceState service, ObjectState target, long first)
    {
        var io = _ios.TryPop(out var old) ? old : new DiskIo();
        (io.Kind, io.Service, io.Object, io.First) = (kind, service, target, first);
        return io;
    }

    private void Send(DiskIo io)
    {
        var disk = io.Object.Disk;
        if (!io.Service.Queues.TryGetValue(disk, out var queue))
        {
            io.Service.Queues.Add(disk, queue = new ServiceQueue(io.Service));
            _disks[disk].Weights += io.Service.Weight;
        }

        io.Object.Active++;
        _disks[disk].Enqueue(io, queue, _now);
        if (io.Kind is DiskIoKind.Read or DiskIoKind.Write)
            return;
        io.Service.Counters.Spend(io.Estimate.TotalSeconds);
        io.Service.Profile.Spend(io.Estimate.TotalSeconds);
    }
}

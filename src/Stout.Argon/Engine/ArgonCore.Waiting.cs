using Stout.Argon.Caching;

namespace Stout.Argon.Engine;

/// <summary>Queues the requests that wait for a block, for frames, or for a barrier, and retries them.</summary>
internal sealed partial class ArgonCore
{
    private void Block(Request request)
    {
        if (request.Object.Blocked.Count == 0)
            _contended.Add(request.Object);
        request.Object.Blocked.Enqueue(request);
    }

    // Pins the request's cached blocks (`pins` is 1), so that they are not evicted while frames are freed for the request; releases these pins (-1).
    private void Hold(Request request, int pins)
    {
        for (var i = 0; i < request.Count; i++)
        {
            if (_map.TryGetValue(BlockKey.Of(request.Object.Id, request.First + i), out var index))
                _frames[index].Pins += pins;
        }
    }

    private void Starve(Partition partition, Request request)
    {
        if (partition.Waiting.Count == 0)
            _starved.Add(partition);
        partition.Waiting.Enqueue(request);
    }

    // Whether the request must wait, since another request or the device uses one of its blocks.
    // Also counts the frames that the request needs from its own partition.
    private bool Conflicts(Request request, out int needed)
    {
        needed = 0;
        for (var i = 0; i < request.Count; i++)
        {
            if (!_map.TryGetValue(BlockKey.Of(request.Object.Id, request.First + i), out var index))
            {
                needed++;
                continue;
            }

            ref var frame = ref _frames[index];
            if (frame.Exclusive)
                return true;
            if (request.Kind == RequestKind.Read)
                continue;
            if (frame.Pins > 0 || frame.WritingBack || frame.State == FrameState.Loading)
                return true;
            if (frame.Owner!.Partition != request.Service.Partition)
                needed++;
        }

        return false;
    }

    private bool RetryContended()
    {
        var moved = false;
        for (var i = _contended.Count - 1; i >= 0; i--)
        {
            var target = _contended[i];
            while (target.Blocked.TryPeek(out var request) && TryBlocked(target, request))
            {
                target.Blocked.Dequeue();
                moved = true;
            }

            if (target.Blocked.Count == 0)
                _contended.RemoveAt(i);
        }

        return moved;
    }

    private bool TryBlocked(ObjectState target, Request request)
    {
        if (target.Ended is { } ended)
        {
            Fail(request, ended);
            return true;
        }

        if (target.Barrier is not null)
            return false;
        if (request.Kind is RequestKind.Resize or RequestKind.Forget)
            return TryBarrier(request);
        if (request.Kind == RequestKind.Flush)
        {
            StartFlush(request);
            return true;
        }

        if (request.Kind == RequestKind.Allocate)
        {
            StartAllocation(request);
            return true;
        }

        if (Conflicts(request, out var needed))
            return false;
        if (needed > 0 && request.Service.Partition.Waiting.Count > 0)
        {
            Starve(request.Service.Partition, request);
            return true;
        }

        return Start(request, first: false);
    }

    private bool RetryStarved()
    {
        var moved = false;
        for (var i = _starved.Count - 1; i >= 0; i--)
        {
            var partition = _starved[i];
            while (partition.Waiting.TryPeek(out var request) && TryStarved(request))
            {
                partition.Waiting.Dequeue();
                moved = true;
            }

            if (partition.Waiting.Count == 0)
                _starved.RemoveAt(i);
        }

        return moved;
    }

    // Another request may use one of the blocks by now. Then the request waits for that block instead of for frames.
    private bool TryStarved(Request request)
    {
        if (request.Object.Ended is null && (request.Object.Barrier is not null || Conflicts(request, out _)))
        {
            Block(request);
            return true;
        }

        return Start(request, first: false);
    }
}

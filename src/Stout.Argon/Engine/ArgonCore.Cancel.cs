using Stout.Argon.Caching;

namespace Stout.Argon.Engine;

/// <summary>Ends requests whose callers no longer wait.</summary>
internal sealed partial class ArgonCore
{
    /// <summary>
    /// Abandons a request that is not done. The request is done at once if it waits for blocks, frames or other requests' device requests. A resize, a
    /// forget, a removal or a task that has started continues; it is released when it is done.
    /// </summary>
    public void Cancel(Request request, Exception reason, TimeSpan now)
    {
        _now = now;
        request.Abandoned = true;
        if (!request.Started)
        {
            if (Remove(request.Object.Blocked, request) || Remove(request.Service.Partition.Waiting, request))
                Fail(request, reason);
        }
        else if (!request.Done && request.Kind is RequestKind.Read or RequestKind.Write or RequestKind.Flush or RequestKind.Allocate)
        {
            Withdraw(request);
            request.Error = reason;
            Complete(request);
        }

        Settle();
    }

    // Takes the request off all lists of waiters. Otherwise repeated cancellations beside a disk that does not answer would take more and more memory.
    private void Withdraw(Request request)
    {
        var target = request.Object;
        for (var i = 0; i < request.Count; i++)
            _frames[request.Frames[i]].Io?.Waiters.Remove(request);
        target.Sync?.Waiters.Remove(request);
        target.Syncs.Remove(request);
        target.Allocation?.Waiters.Remove(request);
        target.Allocations.Remove(request);
        if (request.Kind == RequestKind.Flush)
        {
            foreach (var block in target.Dirty)
                _frames[_map[BlockKey.Of(target.Id, block)]].Io?.Waiters.Remove(request);
        }

        request.Remaining = 0;
    }

    private static bool Remove(Queue<Request> queue, Request request)
    {
        var found = false;
        for (var count = queue.Count; count > 0; count--)
        {
            var next = queue.Dequeue();
            if (ReferenceEquals(next, request))
                found = true;
            else
                queue.Enqueue(next);
        }

        return found;
    }
}

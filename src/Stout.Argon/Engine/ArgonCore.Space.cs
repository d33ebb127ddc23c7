using Stout.Argon.Devices;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Engine;

/// <summary>Allocates disk space for objects, and runs work on the disks' folders.</summary>
internal sealed partial class ArgonCore
{
    /// <summary>Allocates space for an object's data. An object has one allocation at the device at a time.</summary>
    /// <param name="service">The service that is charged for the disk time.</param>
    /// <param name="target">The object.</param>
    /// <param name="end">The bytes of data that need space.</param>
    /// <param name="now">The time.</param>
    public Request Allocate(ServiceState service, ObjectState target, long end, TimeSpan now)
    {
        _now = now;
        var request = Rent(RequestKind.Allocate, service, target, 0, 0);
        request.Length = end;
        if (target.Ended is null && (target.Barrier is not null || target.Blocked.Count > 0))
            Block(request);
        else
            StartAllocation(request);
        Settle();
        return request;
    }

    /// <summary>Does work on a disk's folder in the service's quanta.</summary>
    /// <param name="service">The service that is charged for the disk time.</param>
    /// <param name="disk">The disk.</param>
    /// <param name="work">The work; the device calls it.</param>
    /// <param name="now">The time.</param>
    public Request Do(ServiceState service, int disk, Action work, TimeSpan now)
    {
        _now = now;
        var request = Rent(RequestKind.Task, service, _folders[disk], 0, 0);
        request.Started = true;
        request.Object.Active++;
        var io = RentIo(DiskIoKind.Task, service, request.Object, 0);
        io.Work = work;
        io.Waiters.Add(request);
        request.Remaining = 1;
        Send(io);
        Settle();
        return request;
    }

    private void StartAllocation(Request request)
    {
        var target = request.Object;
        if ((target.Ended ?? target.Broken) is { } error)
        {
            Fail(request, error);
            return;
        }

        request.Started = true;
        target.Active++;
        target.Allocations.Add(request);
        if (target.Allocation is null)
            NextAllocation(target);
    }

    // Completes the allocations for which the object has space, and sends the first of the others to the device. A failed one fails its own request alone,
    // since a smaller one may still find space.
    private void NextAllocation(ObjectState target)
    {
        while (target.Allocations.Count > 0)
        {
            var request = target.Allocations[0];
            target.Allocations.RemoveAt(0);
            if (request.Length <= target.Reserved)
            {
                Complete(request);
                continue;
            }

            var most = long.MaxValue;
            if (target.Account is { } account)
            {
                var growth = RoundUp(request.Length) - target.Reserved;
                if (growth > account.Room)
                {
                    Fail(request, new QuotaExceededException(account.Quota!.Value));
                    continue;
                }

                // Other objects of the account may allocate meanwhile, so the account pays in advance, also for the space that a file takes ahead.
                var claim = Math.Min(account.Room, growth + ObjectFile.MostAhead);
                account.Used += claim;
                most = target.Reserved + claim;
            }

            var io = RentIo(DiskIoKind.Allocate, request.Service, target, 0);
            (io.Length, io.Most) = (request.Length, most);
            io.Waiters.Add(request);
            request.Remaining = 1;
            target.Allocation = io;
            Send(io);
            return;
        }
    }
}

using Stout.Argon.Scheduling;

namespace Stout.Argon.Engine;

/// <summary>A command of the core: one request to one device. The server executes it, and reports its end with <see cref="ArgonCore.IoDone"/>.</summary>
internal sealed class DiskIo
{
    public DiskIo() => Live = new LinkedListNode<DiskIo>(this);

    public DiskIoKind Kind { get; set; }

    public ObjectState Object { get; set; } = null!;

    /// <summary>The service that is charged for the disk time.</summary>
    public ServiceState Service { get; set; } = null!;

    /// <summary>The first block; contiguous ones follow.</summary>
    public long First { get; set; }

    /// <summary>The frames of the blocks, in order.</summary>
    public List<int> Frames { get; } = [];

    /// <summary>
    /// The new length in bytes of <see cref="DiskIoKind.Resize"/>, and the length that <see cref="DiskIoKind.Sync"/> makes durable. For
    /// <see cref="DiskIoKind.Allocate"/>, the bytes of data with space: wanted at first, then those that the device has reserved.
    /// </summary>
    public long Length { get; set; }

    /// <summary>The most bytes of data that may have space after <see cref="DiskIoKind.Allocate"/>, by the quota.</summary>
    public long Most { get; set; }

    /// <summary>The <see cref="ObjectState.Changes"/> that a sync makes durable.</summary>
    public long Changes { get; set; }

    /// <summary>The work of <see cref="DiskIoKind.Task"/>.</summary>
    public Action? Work { get; set; }

    /// <summary>The place among the requests at the device that the scheduler counts; in no list after the scheduler has given up waiting for it.</summary>
    public LinkedListNode<DiskIo> Live { get; }

    /// <summary>Callers' requests that wait for this device request. Each counts its pending device requests in <see cref="Request.Remaining"/>.</summary>
    public List<Request> Waiters { get; } = [];

    /// <summary>The queue in which the request waits, or from which it was issued.</summary>
    public ServiceQueue? Queue { get; set; }

    /// <summary>The device time by the cost model; for a sync or resize, the mean time of earlier syncs.</summary>
    public TimeSpan Estimate { get; set; }

    /// <summary>The estimate × <see cref="ServiceQueue.Ratio"/> at the time of issue: the expected device time.</summary>
    public TimeSpan Expected { get; set; }

    /// <summary>Whether the device has to position, since the request does not continue the one before it.</summary>
    public bool Positions { get; set; }

    /// <summary>The time when the device received the request.</summary>
    public TimeSpan IssuedAt { get; set; }

    /// <summary>A number that the server or the simulation keeps with the request.</summary>
    public long Tag { get; set; }

    public void Reset()
    {
        Frames.Clear();
        Waiters.Clear();
        Queue = null;
        Work = null;
        (Length, Changes, Tag, Most) = (0, 0, 0, 0);
    }
}

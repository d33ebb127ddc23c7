using Stout.Argon.Amortization;
using Stout.Argon.Caching;

namespace Stout.Argon.Engine;

/// <summary>The core's state of one object.</summary>
internal sealed class ObjectState(int id, int disk, long length, int blockSize, NodeLinks links)
{
    private readonly Dictionary<ServiceState, ObjectStream> _streams = [];
    private ObjectStream? _lastStream;

    public int Id { get; } = id;

    public int Disk { get; } = disk;

    /// <summary>The length in bytes.</summary>
    public long Length { get; set; } = length;

    /// <summary>The bytes of data that have space on the disk. A write beyond them fails, since its write-back could find the disk full.</summary>
    public long Reserved
    {
        get;
        set
        {
            if (Account is not null)
                Account.Used += value - field;
            field = value;
        }
    } = long.MaxValue;

    /// <summary>The account of the service that created the object; null if space is not counted.</summary>
    public SpaceAccount? Account { get; set; }

    /// <summary>The number of blocks that hold the object.</summary>
    public long Blocks => (Length + blockSize - 1) / blockSize;

    /// <summary>The frames that hold the object's blocks.</summary>
    public LruPolicy Frames { get; } = new(links);

    /// <summary>The dirty blocks.</summary>
    public HashSet<long> Dirty { get; } = [];

    /// <summary>The number of changes that a sync has to make durable: write-backs that ended, and changes of the length.</summary>
    public long Changes { get; set; }

    /// <summary>The value of <see cref="Changes"/> up to which all changes are durable.</summary>
    public long DurableChanges { get; set; }

    /// <summary>Whether the object has blocks or a length that are not durable.</summary>
    public bool Unflushed => Dirty.Count > 0 || Changes != DurableChanges;

    /// <summary>Whether the core's queue of unflushed objects contains the object.</summary>
    public bool AwaitsWriteBack { get; set; }

    /// <summary>The service that made the object unflushed. The timed write-back is charged to it.</summary>
    public ServiceState? Writer { get; set; }

    /// <summary>The number of running requests, including device requests. A barrier waits until it is zero.</summary>
    public int Active { get; set; }

    /// <summary>Requests that wait for a block in use, or for a barrier.</summary>
    public Queue<Request> Blocked { get; } = new();

    /// <summary>The resize or forget that has started; other requests wait for its release.</summary>
    public Request? Barrier { get; set; }

    /// <summary>
    /// The sync at the device. An object has one sync at a time, so that its headers have one order on the disk. <see cref="Syncs"/> has the flushes
    /// that wait for the next sync.
    /// </summary>
    public DiskIo? Sync { get; set; }

    public List<Request> Syncs { get; } = [];

    /// <summary>The allocation of space at the device. <see cref="Allocations"/> has the requests that wait for it, and for those after it.</summary>
    public DiskIo? Allocation { get; set; }

    public List<Request> Allocations { get; } = [];

    /// <summary>The error that makes later writes and flushes fail: that of a failed write-back, sync or resize.</summary>
    public Exception? Broken { get; set; }

    /// <summary>The error of all requests after the object has been deleted or closed; null before.</summary>
    public Exception? Ended { get; set; }

    /// <summary>The number of flushes, for profiles: a flush makes the blocks written before it clean.</summary>
    public int Flushes { get; set; }

    /// <summary>Data of the server or the simulation.</summary>
    public object? Tag { get; set; }

    /// <summary>The sequential reads of one service.</summary>
    public ObjectStream StreamOf(ServiceState service)
    {
        if (_lastStream is { } last && ReferenceEquals(last.Service, service))
            return last;
        if (!_streams.TryGetValue(service, out var stream))
            _streams.Add(service, stream = new ObjectStream(service));
        return _lastStream = stream;
    }

    /// <summary>Drops the sequential reads of a service that has no handle on the object any more.</summary>
    public void Leave(ServiceState service)
    {
        _streams.Remove(service);
        _lastStream = null;
    }
}

using Stout.Argon.Caching;
using Stout.Argon.Configuration;
using Stout.Argon.Devices;
using Stout.Argon.Scheduling;

namespace Stout.Argon.Engine;

/// <summary>
/// Makes all decisions of the engine: the sizes of accesses (amortization), the partitions of the cache, and the quanta of the disks. Each method processes
/// an event at a given time. It adds device requests to <see cref="Issued"/>, and answered requests to <see cref="Completed"/>. The core does no I/O, reads
/// no clock and takes no lock; the server and the simulation use the same class.
/// </summary>
internal sealed partial class ArgonCore
{
    /// <summary>The smallest partition in frames: space for two requests of the largest size.</summary>
    public const int LeastPartition = 2 * Request.MaxBlocks;

    private readonly Dictionary<long, int> _map = [];
    private readonly Stack<int> _free = new();
    private readonly NodeLinks _links;
    private readonly NodeLinks _objectLinks;
    private readonly Frame[] _frames;
    private readonly Partition? _shared;
    private readonly List<DiskScheduler> _disks = [];
    private readonly List<ServiceState> _services = [];
    private readonly List<ObjectState> _folders = [];
    private readonly List<int> _running = [];
    private readonly List<Partition> _starved = [];
    private readonly List<ObjectState> _contended = [];
    private readonly Stack<Request> _requests = new();
    private readonly Stack<DiskIo> _ios = new();
    private readonly Func<DiskIo, bool> _ready;
    private readonly Action<int> _clean;
    private TimeSpan _now;
    private ServiceState? _cleaner;

    public ArgonCore(CoreSettings settings)
    {
        Settings = settings;
        _links = new NodeLinks(settings.Frames);
        _objectLinks = new NodeLinks(settings.Frames);
        _frames = new Frame[settings.Frames];
        for (var frame = settings.Frames - 1; frame >= 0; frame--)
            _free.Push(frame);
        if (!settings.Partitions)
            _shared = new Partition(settings.Eviction, _links, _frames) { Target = settings.Frames };
        House = new ServiceState(-1, 1, _shared ?? new Partition(settings.Eviction, _links, _frames), new NoProfile());
        _ready = IsReady;
        _clean = WriteBack;
    }

    public CoreSettings Settings { get; }

    /// <summary>The number of requests that have begun and are not released.</summary>
    public int Running => _running.Sum();

    /// <summary>The number of such requests on the objects of one disk.</summary>
    public int RunningAt(int disk) => _running[disk];

    /// <summary>The number of frames that resizes, forgets and removals have examined. For each frame, all services wait for the lock.</summary>
    public long Examined { get; private set; }

    /// <summary>Commands to the devices. The caller empties the list.</summary>
    public List<DiskIo> Issued { get; } = [];

    /// <summary>Requests that can be answered. The caller empties the list.</summary>
    public List<Request> Completed { get; } = [];

    public IReadOnlyList<ServiceState> Services => _services;

    public IReadOnlyList<DiskScheduler> Disks => _disks;

    /// <summary>The next time for <see cref="Tick"/>, unless another event comes before; null for never.</summary>
    public TimeSpan? Wake
    {
        get
        {
            TimeSpan? wake = null;
            foreach (var disk in _disks)
            {
                if (disk.Wake is { } at && (wake is null || at < wake))
                    wake = at;
            }

            return wake;
        }
    }

    /// <param name="cost">The cost of the disk's requests.</param>
    /// <param name="atOnce">Whether the services share the disk at once; false for exclusive quanta.</param>
    public int AddDisk(DeviceCost cost, bool atOnce = false)
    {
        _running.Add(0);
        _disks.Add(new DiskScheduler(cost, Settings.BlockSize, Settings.Scheduler) { AtOnce = atOnce });
        SetEfficiency();
        // Requests for work on the folder have this object in place of one of the folder's.
        _folders.Add(Open(-_disks.Count, _disks.Count - 1, 0));
        return _disks.Count - 1;
    }

    public ServiceState AddService(double weight, TimeSpan now)
    {
        _now = now;
        var partition = _shared ?? new Partition(Settings.Eviction, _links, _frames);
        var service = new ServiceState(_services.Count, weight, partition, CreateProfile(_services.Count)) { EpochStart = now, LastRequest = now, IdleSince = now };
        _services.Add(service);
        WatchTrial();
        Plan();
        Settle();
        return service;
    }

    /// <summary>Opens an object. <see cref="Forget"/> ends it.</summary>
    /// <param name="id">A number that no other open object has.</param>
    /// <param name="disk">The disk.</param>
    /// <param name="length">The length in bytes, which is durable.</param>
    public ObjectState Open(int id, int disk, long length) => new(id, disk, length, Settings.BlockSize, _objectLinks);

    /// <summary>
    /// Called at the time that <see cref="Wake"/> or <see cref="Alarm"/> named: ends quanta that are over, and does the housekeeping. Then issues
    /// the requests that may go to the devices now.
    /// </summary>
    public void Tick(TimeSpan now)
    {
        _now = now;
        KeepHouse();
        Settle();
    }

    /// <summary>The frame that holds a block, or -1.</summary>
    public int FrameOf(int objectId, long block) => _map.GetValueOrDefault(BlockKey.Of(objectId, block), -1);

    /// <summary>A frame's state, for tests.</summary>
    public Frame this[int frame] => _frames[frame];

    /// <summary>The number of blocks of the largest access to a disk.</summary>
    public long CeilingOf(int disk)
    {
        if (Settings.Ceiling is { } ceiling)
            return Math.Max(1, ceiling / Settings.BlockSize);
        var bytes = Settings.Amortization ? _disks[disk].Cost.BytesFor(_disks[disk].Efficiency) : Settings.FixedPrefetch;
        return Math.Max(1, (bytes + Settings.BlockSize - 1) / Settings.BlockSize);
    }

    /// <summary>The same for one service, whose partition may have no space for so large accesses.</summary>
    public long CeilingOf(int disk, ServiceState service) => Math.Min(CeilingOf(disk), service.Access);

    /// <summary>The most blocks of one device request. They are fewer where services share the disk at once, so that other requests wait less.</summary>
    /// <remarks>
    /// There, a write may have as many bytes as the device transfers during one positioning, which is enough for all channels of a flash disk. A request of
    /// that size and a pause disturb reads less than small requests all the time. On modeled flash, a reader beside a written stream keeps 0.47 of its
    /// throughput alone in place of 0.41. The stream keeps 0.52 in place of 0.49.
    /// </remarks>
    private int LargestIo(int disk, DiskIoKind kind)
    {
        var most = (long)Settings.LargestIo;
        if (_disks[disk].AtOnce)
            most = Math.Min(most, Math.Max(Settings.LargestSharedIo, kind == DiskIoKind.Write ? _disks[disk].Cost.BytesFor(0.5) : 0));
        return (int)(most / Settings.BlockSize);
    }

    private IServiceProfile CreateProfile(int seed)
    {
        if (Settings.NoProfiles)
            return new NoProfile();
        return Settings.Eviction == EvictionKind.Lru
            ? LruProfile.Sampled(Settings.Frames)
            : new MiniatureProfile(Settings.Eviction, Settings.Frames, seed);
    }

    // Retries waiting requests until no more can start, then dispatches every disk.
    private void Settle()
    {
        _evictions = MostEvictions;
        _unfinished = false;
        if (_removals.Count > 0)
            RetryRemovals();
        for (var moved = true; moved;)
        {
            Shrink();
            moved = RetryContended() | RetryStarved();
        }

        foreach (var disk in _disks)
            disk.Dispatch(_now, _ready, Issued);
    }

    // Whether a device request may be issued: the device must not read a frame into which a write request copies.
    private bool IsReady(DiskIo io)
    {
        if (io.Kind != DiskIoKind.Write)
            return true;
        foreach (var frame in io.Frames)
        {
            if (_frames[frame].Exclusive)
                return false;
        }

        foreach (var frame in io.Frames)
            _frames[frame].WritingBack = true;
        return true;
    }
}

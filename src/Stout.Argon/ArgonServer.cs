using Stout.Argon.Configuration;
using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon;

/// <summary>
/// A storage engine whose services share disks and a cache. Each service with enough cache keeps at least R × its share of the throughput that it would have
/// alone on the server. R is <see cref="ArgonOptions.Insulation"/>. Open one server for a set of folders; all members are thread-safe.
/// </summary>
public sealed class ArgonServer : IDisposable
{
    private readonly Lock _gate = new();
    private readonly ArgonCore _core;
    private readonly TimeProvider _time;
    private readonly long _started;
    private readonly ITimer _timer;
    private readonly List<DiskFolder> _folders = [];
    private readonly List<DiskWorker> _workers = [];
    private readonly List<ArgonService> _services = [];
    private TimeSpan? _armed;
    private int _nextObject;
    private readonly ManualResetEventSlim _idle = new();
    private int _active;
    private bool _disposed;

    private ArgonServer(ArgonOptions options, TimeProvider time)
    {
        Options = options;
        _time = time;
        _started = time.GetTimestamp();
        var frames = (int)(options.CacheBytes / ArgonOptions.BlockSize);
        var settings = new CoreSettings { Insulation = options.Insulation, BlockSize = ArgonOptions.BlockSize, Frames = frames, Eviction = options.Eviction, Trial = options.Trial };
        settings = settings with { Scheduler = settings.Scheduler with { Depth = options.Disks.Max(disk => disk.QueueDepth) } };
        _core = new ArgonCore(options.Insulated ? settings : settings.Uninsulated());
        Slab = new NativeSlab(frames, ArgonOptions.BlockSize);
        _timer = time.CreateTimer(_ => Tick(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The settings.</summary>
    public ArgonOptions Options { get; }

    internal NativeSlab Slab { get; }

    /// <summary>Opens the folders, and measures disks without a known cost.</summary>
    /// <param name="options">The settings.</param>
    /// <param name="time">The clock; the system's by default.</param>
    /// <exception cref="InvalidArgonOptionException">An option is outside its range.</exception>
    /// <exception cref="FolderInUseException">Another engine uses a folder.</exception>
    /// <exception cref="DirectIoException">A folder's file system has no direct I/O, and buffered I/O is not allowed.</exception>
    public static ArgonServer Open(ArgonOptions options, TimeProvider? time = null) => Open(options, time, static (_, device) => device);

    /// <param name="options">The settings.</param>
    /// <param name="time">The clock.</param>
    /// <param name="decorate">Receives a disk's index in <see cref="ArgonOptions.Disks"/> and the disk's default device. Returns the device to use.</param>
    internal static ArgonServer Open(ArgonOptions options, TimeProvider? time, Func<int, IDevice, IDevice> decorate)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        var server = new ArgonServer(options.Copy(), time ?? TimeProvider.System);
        try
        {
            foreach (var disk in server.Options.Disks)
                server.AddDisk(disk, decorate);
            return server;
        }
        catch
        {
            server.Dispose();
            throw;
        }
    }

    /// <summary>Adds a service. The service begins with a trial (<see cref="ArgonOptions.Trial"/>).</summary>
    /// <param name="name">The service's name in reports.</param>
    /// <param name="weight">The service's weight among the services, from 0.001 to 1,000; 1 by default.</param>
    /// <exception cref="CacheTooSmallException">The cache has no space for one more service.</exception>
    public ArgonService AddService(string name, double weight = 1)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        CheckWeight(weight);
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if ((_core.Services.Count + 1) * ArgonCore.LeastPartition > _core.Settings.Frames)
                throw new CacheTooSmallException(_core.Services.Count);
            var service = new ArgonService(this, name, _core.AddService(weight, Now));
            Carry();
            _services.Add(service);
            return service;
        }
    }

    /// <summary>The health of the disks, for polling. A disk that does not answer stops only the services that use it.</summary>
    public IReadOnlyList<DiskHealth> Health() =>
        [.. _workers.Select((worker, i) => (Oldest: worker.Oldest, Disk: Options.Disks[i])).Select(disk => new DiskHealth(disk.Disk.Folder, disk.Oldest <= Options.IoTimeLimit, disk.Oldest))];

    /// <summary>
    /// Forecasts each service's throughput after a hypothetical change, from the services' profiles. A forecast changes nothing in the server.
    /// </summary>
    /// <param name="change">The change.</param>
    /// <returns>The services in the order in which they were added; a newcomer last.</returns>
    /// <exception cref="InvalidArgonOptionException">A weight or the cache's size is outside its range, or a service belongs to another server.</exception>
    public IReadOnlyList<ServiceForecast> Forecast(WhatIf change)
    {
        ArgumentNullException.ThrowIfNull(change);
        CheckWeight(change.NewcomerWeight);
        foreach (var weight in change.Weights.Values)
            CheckWeight(weight);
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            var asked = change.Weights.Keys.Concat(change.NewcomerLike is { } model ? [model] : []);
            if (asked.Any(service => !_services.Contains(service)))
                throw new InvalidArgonOptionException(nameof(WhatIf), "names services of this server");
            if (change.CacheBytes < (long)ArgonCore.LeastPartition * ArgonOptions.BlockSize * (_services.Count + 1))
                throw new InvalidArgonOptionException(nameof(WhatIf.CacheBytes), "is at least 256 KiB for each service");
            return Forecasts.Of(_core, _services, change);
        }
    }

    /// <summary>Waits for running requests, flushes all objects, stops the threads and frees the cache.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
            if (_active == 0)
                _idle.Set();
        }

        _idle.Wait();

        foreach (var folder in _folders)
            folder.FlushAll();
        foreach (var worker in _workers)
            worker.Dispose();
        _timer.Dispose();
        foreach (var folder in _folders)
            folder.Dispose();
        Slab.Dispose();
        _idle.Dispose();
    }

    internal static void CheckWeight(double weight)
    {
        if (weight is not (>= 0.001 and <= 1000))
            throw new InvalidArgonOptionException(nameof(weight), "is from 0.001 to 1,000");
    }

    internal DiskFolder Folder(int disk)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        ArgumentOutOfRangeException.ThrowIfNegative(disk);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(disk, _folders.Count);
        return _folders[disk];
    }

    /// <summary>Passes a request to the core, and executes the core's commands.</summary>
    /// <param name="ask">Returns the request.</param>
    /// <param name="argument">The argument of <paramref name="ask"/>.</param>
    /// <param name="blocking">Whether the caller blocks its thread until the request completes; otherwise the caller awaits a task.</param>
    /// <param name="closing">Whether the server itself passes the request, during its disposal.</param>
    /// <returns>The request and its completion, which is null if the request is already done.</returns>
    internal (Request Request, Completion? Waits) Ask<T>(Func<ArgonCore, T, TimeSpan, Request> ask, T argument, bool blocking, bool closing = false)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed && !closing, this);
            _active++;
            var request = ask(_core, argument, Now);
            Completion? waits = null;
            if (!request.Done)
                request.Tag = waits = new Completion(blocking);
            Carry();
            return (request, waits);
        }
    }

    internal void Release(Request request)
    {
        lock (_gate)
        {
            _core.Release(request, Now);
            Carry();
            if (--_active == 0 && _disposed)
                _idle.Set();
        }
    }

    internal void Change(ServiceState service, double weight)
    {
        lock (_gate)
        {
            _core.SetWeight(service, weight, Now);
            Carry();
        }
    }

    // Does not use `Look`: every read calls this method, and `Look` would allocate a closure for each call.
    internal long LengthOf(ObjectState target)
    {
        lock (_gate)
            return target.Length;
    }

    internal T Look<T>(Func<ArgonCore, T> look)
    {
        lock (_gate)
            return look(_core);
    }

    internal ObjectState AddObject(int disk, ObjectFile file)
    {
        lock (_gate)
        {
            var target = _core.Open(_nextObject++, disk, file.Length);
            target.Tag = file;
            return target;
        }
    }

    private TimeSpan Now => _time.GetElapsedTime(_started);

    private void AddDisk(ArgonDiskOptions disk, Func<int, IDevice, IDevice> decorate)
    {
        var folder = new DiskFolder(this, _folders.Count, disk);
        _folders.Add(folder);
        var (requests, bytes) = (disk.MostRequestsPerSecond ?? double.PositiveInfinity, disk.MostBytesPerSecond ?? double.PositiveInfinity);
        IDevice device = new FileDevice();
        if (double.IsFinite(requests) || double.IsFinite(bytes))
            device = new CappedDevice(device, requests, bytes, _time);
        _core.AddDisk(folder.Cost.Capped(requests, bytes));
        _workers.Add(new DiskWorker(disk.Folder, disk.QueueDepth, decorate(_workers.Count, device), Slab, _time, IoDone));
    }

    private void IoDone(DiskIo io, Exception? error)
    {
        lock (_gate)
        {
            _core.IoDone(io, error, Now);
            Carry();
        }
    }

    private void Tick()
    {
        lock (_gate)
        {
            _armed = null;
            _core.Tick(Now);
            Carry();
        }
    }

    // Passes the core's device requests to the workers, wakes the callers of completed requests, and sets the timer to the core's next wake-up time. The
    // caller holds `_gate`.
    private void Carry()
    {
        foreach (var io in _core.Issued)
            _workers[io.Object.Disk].Post(io);
        _core.Issued.Clear();
        foreach (var request in _core.Completed)
            (request.Tag as Completion)?.Set();
        _core.Completed.Clear();
        if (_core.Wake is not { } wake || wake == _armed)
            return;
        _armed = wake;
        var due = wake - Now;
        _timer.Change(due > TimeSpan.Zero ? due : TimeSpan.Zero, Timeout.InfiniteTimeSpan);
    }
}

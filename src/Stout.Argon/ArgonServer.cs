using Stout.Argon.Configuration;
using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon;

/// <summary>
/// A storage engine whose services share disks and a cache. Each service with enough cache keeps at least R × its share of the throughput that it would have
/// alone on the server. R is <see cref="ArgonOptions.Insulation"/>. Open one server for a set of folders; all members are thread-safe.
/// </summary>
public sealed partial class ArgonServer : IAsyncDisposable, IDisposable
{
    /// <summary>The most numbers of closed objects that are kept unused.</summary>
    private const int MostFreeIds = 1 << 16;

    /// <summary>The longest time of a timer, since the system's timers have a limit of 49 days.</summary>
    private static readonly TimeSpan s_mostTimer = TimeSpan.FromDays(30);

    private readonly Lock _gate = new();
    private readonly ArgonOptions _options;
    private readonly ArgonCore _core;
    private readonly TimeProvider _time;
    private readonly long _started;
    private readonly ITimer _timer;
    private readonly List<DiskFolder> _folders = [];
    private readonly List<DiskWorker> _workers = [];
    private readonly List<ArgonService> _services = [];
    private readonly Dictionary<UInt128, SpaceAccount> _accounts = [];
    private TimeSpan? _armed;
    private readonly Queue<int> _freeIds = new();
    private readonly ManualResetEventSlim _idle = new();

    /// <summary>The disks without which the disposal ends, since they do not answer.</summary>
    private readonly HashSet<int> _stuck = [];

    private TimeSpan _stuckSince;
    private int _nextObject;
    private bool _disposed;
    private bool _ended;

    private ArgonServer(ArgonOptions options, TimeProvider time)
    {
        _options = options;
        _time = time;
        _started = time.GetTimestamp();
        var frames = (int)(options.CacheBytes / ArgonOptions.BlockSize);
        var settings = new CoreSettings { Insulation = options.Insulation, BlockSize = ArgonOptions.BlockSize, Frames = frames, Eviction = options.Eviction, Trial = options.Trial, WriteBackAfter = options.WriteBackAfter };
        settings = settings with { Scheduler = settings.Scheduler with { Depth = options.Disks.Max(disk => disk.QueueDepth) } };
        _core = new ArgonCore(options.Insulated ? settings : settings.Uninsulated());
        Slab = new NativeSlab(frames, ArgonOptions.BlockSize);
        _timer = time.CreateTimer(_ => Tick(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>A copy of the settings; the settings of an open server don't change.</summary>
    public ArgonOptions Options => _options.Copy();

    internal bool MemoryHasBattery => _options.MemoryHasBattery;

    internal NativeSlab Slab { get; }

    internal bool Quotas => _options.Quotas;

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
        options = options.Copy();
        options.Validate();
        var server = new ArgonServer(options, time ?? TimeProvider.System);
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
    /// <param name="quotaBytes">The quota: see <see cref="ArgonService.QuotaBytes"/>. It needs <see cref="ArgonOptions.Quotas"/>.</param>
    /// <exception cref="CacheTooSmallException">The cache has no space for one more service.</exception>
    /// <exception cref="InvalidArgonOptionException">The weight or the quota is outside its range.</exception>
    public ArgonService AddService(string name, double weight = 1, long? quotaBytes = null)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        CheckWeight(weight);
        CheckQuota(quotaBytes);
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_failure is not null)
                throw new EngineFailedException(_failure);
            if ((_core.Services.Count + 1) * ArgonCore.LeastPartition > _core.Settings.Frames)
                throw new CacheTooSmallException(_core.Services.Count);
            var service = new ArgonService(this, name, _core.AddService(weight, Now));
            Carry();
            if (quotaBytes is not null)
                service.Account!.Quota = quotaBytes;
            _services.Add(service);
            return service;
        }
    }

    /// <summary>The health of the disks, for polling. A disk that does not answer stops only the services that use it.</summary>
    public IReadOnlyList<DiskHealth> Health() =>
        [.. _workers.Select((worker, i) => (Oldest: worker.Oldest, Disk: _options.Disks[i])).Select(disk => new DiskHealth(disk.Disk.Folder, disk.Oldest <= _options.IoTimeLimit, disk.Oldest))];

    /// <summary>The engine's current figures for the disks.</summary>
    public IReadOnlyList<DiskReport> Report() => Look(core => (IReadOnlyList<DiskReport>)
    [
        .. core.Disks.Select((disk, i) => new DiskReport(
            _options.Disks[i].Folder,
            disk.AtOnce ? DiskSharing.AtOnce : DiskSharing.Quanta,
            disk.Cost,
            _folders[i].Profile.Cost,
            _folders[i].Profile.SpanBytes is > 0 and var span ? span : null)),
    ]);

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
            if (!_services.ToHashSet().IsSupersetOf(asked))
                throw new InvalidArgonOptionException(nameof(WhatIf), "names services of this server");
            if (change.CacheBytes < (long)ArgonCore.LeastPartition * ArgonOptions.BlockSize * (_services.Count + 1))
                throw new InvalidArgonOptionException(nameof(WhatIf.CacheBytes), "is at least 256 KiB for each service");
            return Forecasts.Of(_core, _services, change);
        }
    }

    /// <summary>
    /// Removes a service: closes its handles, writes back and evicts its blocks, and divides its cache among the other services. Its objects remain.
    /// </summary>
    /// <param name="service">The service. Its later calls fail with <see cref="ObjectDisposedException"/>.</param>
    /// <param name="cancellationToken">Ends the wait; the removal continues.</param>
    /// <exception cref="ObjectBrokenException">A handle's object could not be flushed. The service was removed.</exception>
    /// <exception cref="DiskStuckException">A disk has not answered a request for <see cref="ArgonOptions.IoTimeLimit"/>. The removal continues if the disk
    /// answers.</exception>
    public async ValueTask RemoveServiceAsync(ArgonService service, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(service);
        if (!Look(_ => _services.Contains(service)))
            throw new InvalidArgonOptionException(nameof(service), "is a service of this server");
        await service.RemoveAsync().WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Waits for running requests, flushes all objects, stops the threads and frees the cache. If a disk does not answer a request within
    /// <see cref="ArgonOptions.IoTimeLimit"/>, the disposal fails all requests and ends without that disk.
    /// </summary>
    /// <exception cref="DiskStuckException">A disk does not answer.</exception>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
            SignalIdle();
        }

        var began = Now;
        using (_time.CreateTimer(_ => GiveUp(began), null, StuckCheck, StuckCheck))
        {
            _idle.Wait();
            foreach (var folder in _folders)
                folder.FlushAll();
            lock (_gate)
                _ended = true;
            foreach (var worker in _workers)
                worker.Dispose();
        }

        _timer.Dispose();
        for (var disk = 0; disk < _folders.Count; disk++)
        {
            if (!_stuck.Contains(disk))
                _folders[disk].Dispose();
        }

        // A disk that does not answer may still write to the frames, and to its files.
        if (_stuck.Count > 0)
            throw Stuck();
        Slab.Dispose();
        _idle.Dispose();
    }

    /// <inheritdoc cref="Dispose"/>
    public ValueTask DisposeAsync() => new(Task.Factory.StartNew(Dispose, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));

    internal static void CheckWeight(double weight)
    {
        if (weight is not (>= 0.001 and <= 1000))
            throw new InvalidArgonOptionException(nameof(weight), "is from 0.001 to 1,000");
    }

    internal void CheckQuota(long? quotaBytes)
    {
        if (quotaBytes < 0 || (quotaBytes is not null && !Quotas))
            throw new InvalidArgonOptionException(nameof(quotaBytes), $"is not negative, and needs {nameof(ArgonOptions)}.{nameof(ArgonOptions.Quotas)}");
    }

    /// <summary>The account of a service's objects; null if space is not counted, or for files of unknown origin.</summary>
    internal SpaceAccount? Account(UInt128 owner)
    {
        if (!Quotas || owner == default)
            return null;
        lock (_accounts)
            return System.Runtime.InteropServices.CollectionsMarshal.GetValueRefOrAddDefault(_accounts, owner, out _) ??= new SpaceAccount();
    }

    internal void Change(SpaceAccount? account, Action<SpaceAccount> change)
    {
        if (account is null)
            return;
        lock (_gate)
            change(account);
    }

    internal DiskFolder Folder(int disk)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        ArgumentOutOfRangeException.ThrowIfNegative(disk);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(disk, _folders.Count);
        return _folders[disk];
    }

    internal void Change(ServiceState service, double weight)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed || service.Removal is not null, this);
            Guarded((service, weight), static (server, what) => server._core.SetWeight(what.service, what.weight, server.Now));
        }
    }

    // During the disposal: answers the callers of a disk that does not answer, so that the disposal waits for the other disks alone. A request to another
    // disk may wait for cache that such a disk holds. If that takes long too, all requests fail.
    private void GiveUp(TimeSpan began)
    {
        lock (_gate)
        {
            if (Now - began <= _options.IoTimeLimit)
                return;
            var before = _stuck.Count;
            for (var disk = 0; disk < _workers.Count; disk++)
            {
                if (_workers[disk].Oldest > _options.IoTimeLimit && _stuck.Add(disk))
                    _workers[disk].Abandon();
            }

            if (_stuck.Count == 0 || _failure is not null)
                return;
            if (_stuck.Count > before)
                _stuckSince = Now;
            foreach (var waits in _waiting.Where(waits => _stuck.Contains(waits.Request.Object.Disk)).ToList())
            {
                _waiting.Remove(waits);
                waits.Request.Abandoned = true;
                waits.Fail(Stuck());
            }

            if (Now - _stuckSince > _options.IoTimeLimit && !_idle.IsSet)
                Fail(Stuck());
            SignalIdle();
        }
    }

    private DiskStuckException Stuck() => new(_options.Disks[_stuck.Min()].Folder);

    private bool IsBusy()
    {
        for (var disk = 0; disk < _core.Disks.Count; disk++)
        {
            if (!_stuck.Contains(disk) && _core.RunningAt(disk) > 0)
                return true;
        }

        return false;
    }

    private TimeSpan Now => _time.GetElapsedTime(_started);

    /// <summary>The time between two checks for disks that do not answer.</summary>
    private TimeSpan StuckCheck => TimeSpan.FromMilliseconds(Math.Clamp(_options.IoTimeLimit.TotalMilliseconds / 4, 1, s_mostTimer.TotalMilliseconds));

    private void AddDisk(ArgonDiskOptions disk, Func<int, IDevice, IDevice> decorate)
    {
        var folder = new DiskFolder(this, _folders.Count, disk);
        _folders.Add(folder);
        var (requests, bytes) = (disk.MostRequestsPerSecond ?? double.PositiveInfinity, disk.MostBytesPerSecond ?? double.PositiveInfinity);
        IDevice device = new FileDevice();
        if (double.IsFinite(requests) || double.IsFinite(bytes))
            device = new CappedDevice(device, requests, bytes, _time);
        // A capped disk serves one request at a time.
        var atOnce = disk.Sharing == DiskSharing.AtOnce || (disk.Sharing == DiskSharing.Calibrated && folder.Profile.AtOnce && device is FileDevice);
        _core.AddDisk(folder.Profile.Cost.Capped(requests, bytes), atOnce);
        _workers.Add(new DiskWorker(disk.Folder, disk.QueueDepth, decorate(_workers.Count, device), Slab, _time, IoDone));
    }
}

using Stout.Argon.Amortization;
using Stout.Argon.Configuration;

namespace Stout.Argon.Engine;

/// <summary>Begins and ends trials, checks that the services' profiles still apply, and plans the partitions.</summary>
internal sealed partial class ArgonCore
{
    /// <summary>
    /// A new trial starts when the time of a service's references differs by more than this fraction from the time that the service's profile predicts. The
    /// time bounds the error of the fraction that is not absorbed: at 99 % absorbed, an error of 0.02 would be a factor of three.
    /// </summary>
    public const double Moved = 0.1;

    /// <summary>The fraction by which throughput may be below the promise before a report says that it is broken.</summary>
    public const double Broken = 0.02;

    /// <summary>The smallest number of references of a trial or check. With fewer references, the trial or check continues.</summary>
    public const long LeastReferences = 200;

    /// <summary>A hit counts with at most so many times the service's mean time of a hit.</summary>
    private const double MostHitTime = 4;

    /// <summary>The time of a hit that counts in full on any machine.</summary>
    private static readonly TimeSpan s_leastHitTime = TimeSpan.FromMicroseconds(1);

    private bool _shrinking;

    /// <summary>Sets a service's weight.</summary>
    public void SetWeight(ServiceState service, double weight, TimeSpan now)
    {
        _now = now;
        service.Weight = weight;
        Plan();
        Settle();
    }

    /// <summary>The plan's input for all services.</summary>
    public IReadOnlyList<PlannedService> Planned()
    {
        var weights = Weights();
        return [.. _services.Select(service => Describe(service, weights))];
    }

    // The sum of the weights of the services that use each disk, and the sum over all services.
    private (double[] Disks, double All) Weights()
    {
        var (disks, all) = (new double[_disks.Count], 0.0);
        foreach (var service in _services)
        {
            all += service.Weight;
            foreach (var disk in service.Queues.Keys)
                disks[disk] += service.Weight;
        }

        return (disks, all);
    }

    private PlannedService Describe(ServiceState service, (double[] Disks, double All) weights)
    {
        // Uses loops instead of LINQ, since loops don't allocate: each added service renews the plan, and a plan may describe 10,000 services.
        var share = service.Queues.Count == 0 ? service.Weight / weights.All : 1;
        foreach (var disk in service.Queues.Keys)
            share = Math.Min(share, service.Weight / weights.Disks[disk]);
        return new PlannedService
        {
            Trial = service.Status == ServiceStatus.Trial,
            Idle = service.Status == ServiceStatus.Idle,
            BestEffort = service.Status == ServiceStatus.BestEffort,
            Share = share,
            DiskEfficiency = service.DiskEfficiency,
            MissTime = TimeSpan.FromSeconds(service.CostRatio * service.Profile.MeanCost),
            HitTime = service.HitTime,
            Absorbed = service.Profile.Absorbed,
            Buffers = Math.Max(LeastPartition, service.MostPinned),
            Streams = service.MostStreams,
            MostAccess = MostAccess(service, out var positioning),
            StreamPositioning = service.CostRatio * service.Sequential * positioning,
        };
    }

    private int MostAccess(ServiceState service, out TimeSpan positioning)
    {
        var access = 1L;
        positioning = TimeSpan.Zero;
        foreach (var disk in service.Queues.Keys)
        {
            access = Math.Max(access, CeilingOf(disk));
            positioning = _disks[disk].Cost.Positioning > positioning ? _disks[disk].Cost.Positioning : positioning;
        }

        return (int)Math.Min(int.MaxValue, access);
    }

    private static void NoteStream(ObjectStream stream)
    {
        if (stream.Epoch == stream.Service.Epoch)
            return;
        stream.Epoch = stream.Service.Epoch;
        NoteStream(stream.Service, 1);
    }

    private static void NoteWritten(ObjectStream stream)
    {
        if (stream.WriteEpoch == stream.Service.Epoch)
            return;
        stream.WriteEpoch = stream.Service.Epoch;
        NoteStream(stream.Service, 4.0 / 3);
    }

    private static void NoteStream(ServiceState service, double accesses)
    {
        service.Streams += accesses;
        service.MostStreams = Math.Max(service.MostStreams, service.Streams);
    }

    // Called when a request starts: ends a trial that has lasted long enough, or checks that the service's profile still applies.
    private void Check(ServiceState service)
    {
        service.LastRequest = _now;
        if (service.Status == ServiceStatus.Idle)
        {
            BeginTrial(service);
            BeginEpoch(service);
        }

        var passed = _now - service.EpochStart;
        if (service.Status == ServiceStatus.Trial && !service.WarmedUp && passed >= Settings.Trial / 2)
        {
            service.WarmedUp = true;
            service.Profile.ResetCounts();
            service.Counters.BeginEpoch();
        }

        if (!service.Checked && service.Status != ServiceStatus.Trial && passed >= Settings.Trial / 2 && service.Counters.WindowReferences >= LeastReferences)
        {
            // The halves of a measuring period are checked separately: if the access pattern changes within one half, the whole next half has the new
            // pattern.
            service.Checked = true;
            if (HasMoved(service))
            {
                BeginTrial(service);
                BeginEpoch(service);
                return;
            }

            service.Counters.BeginWindow();
        }

        if (passed < Settings.Trial || service.Counters.EpochReferences < LeastReferences)
            return;
        NoteThroughput(service, passed);
        if (service.Status == ServiceStatus.Trial)
            EndTrial(service);
        else if (HasMoved(service, whole: true) || HasMoved(service))
            BeginTrial(service);
        else
            Refine(service);
        BeginEpoch(service);
    }

    // Whether the mean time of a reference in the measuring period, or in its present half, differs from the profile. Few references that miss the cache make
    // up most of the time, so the bound includes three standard errors. Frames that are planned as buffers keep blocks too while they are not in use. So the
    // time should lie between the profile's times for two sizes: the partition without its buffers, and the whole partition.
    private bool HasMoved(ServiceState service, bool whole = false)
    {
        if (!whole && service.Counters.WindowReferences < LeastReferences)
            return false;
        var (missed, error) = service.Counters.Missed(whole);
        var frames = Math.Min(service.Partition.Target, Settings.Frames);
        var buffers = Math.Max(LeastPartition, service.MostPinned) + (int)(service.MostStreams * CeilingOf(service));
        var (least, most) = (service.Profile.MeanCost * (1 - service.Profile.Absorbed(frames)), service.Profile.MeanCost * (1 - service.Profile.Absorbed(Math.Max(0, frames - buffers))));
        var hit = service.HitTime.TotalSeconds;
        var bound = service.CostRatio * 3 * error;
        return Time(missed) + bound < Time(least) * (1 - Math.Min(0.5, Moved * service.Tolerance)) || Time(missed) - bound > Time(most) * (1 + (Moved * service.Tolerance));

        double Time(double cost) => hit + (service.CostRatio * cost);
    }

    private long CeilingOf(ServiceState service)
    {
        var ceiling = 0L;
        foreach (var disk in service.Queues.Keys)
            ceiling = Math.Max(ceiling, CeilingOf(disk, service));
        return ceiling;
    }

    // Compares the throughput of a measuring period with the promise. Alone, the service would be without requests for as long per reference as here.
    private void NoteThroughput(ServiceState service, TimeSpan passed)
    {
        service.Throughput = null;
        if (service.Status is not (ServiceStatus.Insulated or ServiceStatus.BestEffort))
            return;
        var references = service.Counters.EpochReferences;
        var idle = service.IdleTime.TotalSeconds / references;
        var described = Describe(service, Weights());
        var alone = 1 / (idle + (1 / ThroughputModel.Alone(described, Settings.Frames)));
        service.Throughput = (references / passed.TotalSeconds, Settings.Insulation * described.Share * alone);
    }

    // Begins the next epoch of a service: a measuring period, which is one trial or one check of the profile.
    private void BeginEpoch(ServiceState service)
    {
        service.EpochStart = _now;
        service.Epoch++;
        service.Streams = 0;
        service.Checked = false;
        service.IdleTime = TimeSpan.Zero;
        if (service.Running == 0)
            service.IdleSince = _now;
        service.Counters.BeginEpoch();
    }

    private void EndTrial(ServiceState service)
    {
        Learn(service);
        service.Status = ServiceStatus.Insulated;
        Plan();
        service.Tolerance = Math.Abs(service.Least - service.LeastBefore) <= Math.Max(service.Least, service.LeastBefore) / 8 ? Math.Min(8, 1.5 * service.Tolerance) : 1;
    }

    // Measures how the device answers the service's requests, and how long a hit takes.
    private static void Learn(ServiceState service)
    {
        service.CostRatio = service.Counters.EpochRatio ?? service.CostRatio;
        service.Sequential = service.Counters.EpochSequential;
        service.HitTime = service.Counters.EpochHitTime ?? service.HitTime;
    }

    // In a large cache, many blocks are reused only after a long time, so the needed partition may still change after the trial. If it changes by more than
    // a sixteenth, the plan is renewed.
    private void Refine(ServiceState service)
    {
        Learn(service);
        var needed = ThroughputModel.LeastPartition(Describe(service, Weights()), Settings.Insulation, Settings.Frames) ?? 0;
        service.Profile.Age();
        if (_shared is null && Math.Abs(needed - service.Least) > Math.Max(needed, service.Least) / 16)
            Plan();
    }

    private void BeginTrial(ServiceState service)
    {
        service.LeastBefore = service.Least;
        service.Status = ServiceStatus.Trial;
        service.WarmedUp = false;
        service.Throughput = null;
        WatchTrial();
        service.MostStreams = service.Streams;
        service.MostPinned = service.Pinned;
        service.Profile.ResetCounts();
        Plan();
    }

    private void Plan()
    {
        var weights = Weights();
        for (var i = 0; i < _disks.Count; i++)
            (_disks[i].Weights, _disks[i].CostChanged) = (weights.Disks[i], false);
        if (_shared is not null)
            return;
        SetEfficiency();
        var planned = Planned();
        var plan = PartitionPlan.Of(Settings.Insulation, Settings.Frames, LeastPartition, planned);
        for (var i = 0; i < _services.Count; i++)
        {
            var service = _services[i];
            service.Partition.Target = plan.Targets[i];
            service.Least = plan.Least[i];
            service.Access = ThroughputModel.Access(planned[i], plan.Targets[i]);
            if (service.Status == ServiceStatus.Trial)
                service.Access = Math.Max(Request.MaxBlocks, plan.Targets[i] / 4);
            if (service.Status is ServiceStatus.Insulated or ServiceStatus.BestEffort)
                service.Status = plan.Fits[i] ? ServiceStatus.Insulated : ServiceStatus.BestEffort;
        }

        _shrinking = true;
    }

    // Sets the efficiency that each disk has to reach. Disk and cache together may lose only the fraction 1 − R of the throughput (R is
    // `Settings.Insulation`). Let a be the fraction of a service's references that the whole cache absorbs. Without a cache, the service needs d = 1/(1 − a)
    // times as much disk time. For each disk, d is the largest of its services; a service in a trial counts as infinite. If d is at most 1/√R, the disk has
    // to keep the fraction R × d, so that even a service without a cache keeps R. If d is larger, disk and cache keep √R each.
    private void SetEfficiency()
    {
        var half = Math.Sqrt(Settings.Insulation);
        for (var i = 0; i < _disks.Count; i++)
        {
            var disk = _disks[i];
            var dependence = _services.Where(service => service.Queues.ContainsKey(i)).Select(Dependence).DefaultIfEmpty(1).Max();
            disk.Efficiency = Settings.LoseTwice ? Settings.Insulation : Math.Min(half, Settings.Insulation * dependence);
            disk.LeastQuantum = disk.Cost.ServiceTime(CeilingOf(i) * Settings.BlockSize);
        }

        foreach (var service in _services)
        {
            service.DiskEfficiency = Settings.LoseTwice || service.Queues.Count > 0 ? 1 : Settings.Insulation;
            if (Settings.LoseTwice)
                continue;
            foreach (var disk in service.Queues.Keys)
                service.DiskEfficiency = Math.Min(service.DiskEfficiency, _disks[disk].Efficiency);
        }
    }

    private double Dependence(ServiceState service)
    {
        if (service.Status == ServiceStatus.Trial)
            return double.PositiveInfinity;
        if (service.Status == ServiceStatus.Idle)
            return 1;
        return 1 / Math.Max(1e-9, 1 - service.Profile.Absorbed(Settings.Frames));
    }

    // Evicts blocks from partitions that hold more frames than their target. Dirty blocks are written back first, in the quanta of the service that owns
    // them. One event evicts a bounded number of blocks; the next call of `Tick` continues.
    private void Shrink()
    {
        if (!_shrinking)
            return;
        _shrinking = false;
        foreach (var service in _services)
        {
            while (service.Partition.Used > service.Partition.Target)
            {
                if (_evictions == 0)
                {
                    _shrinking = _unfinished = true;
                    return;
                }

                if (!Evict(service, demand: true))
                {
                    _shrinking = true;
                    break;
                }

                _evictions--;
            }
        }
    }
}

using Stout.Argon.Amortization;
using Stout.Argon.Configuration;

namespace Stout.Argon.Engine;

/// <summary>Begins and ends trials, checks that the services' profiles still apply, and plans the partitions.</summary>
internal sealed partial class ArgonCore
{
    /// <summary>
    /// A new trial starts when a service's absorbed fraction differs by more than this from the fraction that the service's profile predicts.
    /// </summary>
    public const double Moved = 0.05;

    /// <summary>The smallest number of references of a trial or check. With fewer references, the trial or check continues.</summary>
    public const long LeastReferences = 200;

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
            MissTime = service.MissTime,
            HitTime = Settings.HitTime,
            Absorbed = service.Profile.Absorbed,
            Buffers = BuffersOf(service),
        };
    }

    // The number of frames that hold no reusable blocks: those that the service's requests pin, and for each stream those of one largest access.
    private int BuffersOf(ServiceState service)
    {
        var ceiling = 0L;
        foreach (var disk in service.Queues.Keys)
            ceiling = Math.Max(ceiling, CeilingOf(disk));
        return Math.Max(LeastPartition, service.MostPinned) + (int)Math.Min(Settings.Frames, service.MostStreams * ceiling);
    }

    private static void NoteStream(ObjectStream stream)
    {
        var service = stream.Service;
        if (stream.Epoch == service.Epoch)
            return;
        stream.Epoch = service.Epoch;
        service.MostStreams = Math.Max(service.MostStreams, ++service.Streams);
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
        if (service.Status == ServiceStatus.Trial)
            EndTrial(service);
        else if (Differs(service, service.Counters.EpochAbsorbed, Moved) || HasMoved(service))
            BeginTrial(service);
        else
            Refine(service);
        BeginEpoch(service);
    }

    // Whether the absorbed fraction of the present half of the measuring period differs from the profile. A half has few references, so the bound includes
    // three standard errors of the fraction.
    private bool HasMoved(ServiceState service)
    {
        var error = Math.Sqrt(0.25 / Math.Max(1, service.Counters.WindowReferences));
        return service.Counters.WindowReferences >= LeastReferences && Differs(service, service.Counters.WindowAbsorbed, Moved + (3 * error));
    }

    // Frames that are planned as buffers keep blocks too while they are not in use. So the measured absorbed fraction should lie between the profile's
    // fractions for two sizes: the partition without its buffers, and the whole partition.
    private bool Differs(ServiceState service, double absorbed, double bound)
    {
        var frames = Math.Min(service.Partition.Target, Settings.Frames);
        return absorbed < service.Profile.Absorbed(Math.Max(0, frames - BuffersOf(service))) - bound || absorbed > service.Profile.Absorbed(frames) + bound;
    }

    // Begins the next epoch of a service: a measuring period, which is one trial or one check of the profile.
    private void BeginEpoch(ServiceState service)
    {
        service.EpochStart = _now;
        service.Epoch++;
        service.Streams = 0;
        service.Checked = false;
        service.Counters.BeginEpoch();
    }

    private void EndTrial(ServiceState service)
    {
        service.MissTime = service.Counters.EpochMissTime;
        service.Status = ServiceStatus.Insulated;
        Plan();
    }

    // In a large cache, many blocks are reused only after a long time, so the needed partition may still change after the trial. If it changes by more than
    // a sixteenth, the plan is renewed.
    private void Refine(ServiceState service)
    {
        service.MissTime = service.Counters.EpochMissTime;
        var needed = ThroughputModel.LeastPartition(Describe(service, Weights()), Settings.Insulation, Settings.Frames) ?? 0;
        service.Profile.Age();
        if (_shared is null && Math.Abs(needed - service.Least) > Math.Max(needed, service.Least) / 16)
            Plan();
    }

    private void BeginTrial(ServiceState service)
    {
        service.Status = ServiceStatus.Trial;
        service.WarmedUp = false;
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
        var plan = PartitionPlan.Of(Settings.Insulation, Settings.Frames, LeastPartition, Planned());
        for (var i = 0; i < _services.Count; i++)
        {
            var service = _services[i];
            service.Partition.Target = plan.Targets[i];
            service.Least = plan.Least[i];
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

using Stout.Argon.Configuration;

namespace Stout.Argon.Engine;

/// <summary>Trials, and the plan of partitions.</summary>
internal sealed partial class ArgonCore
{
    /// <summary>The change of a service's absorption, against its profile, that starts a new trial.</summary>
    public const double Moved = 0.05;

    /// <summary>The fewest references of a conclusive trial; otherwise it continues.</summary>
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

    // The weights of the services that use each disk, and of all services.
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
        // Loops without allocation: a plan for 10,000 services runs whenever a service is added.
        var share = service.Queues.Count == 0 ? service.Weight / weights.All : 1;
        foreach (var disk in service.Queues.Keys)
            share = Math.Min(share, service.Weight / weights.Disks[disk]);
        return new PlannedService
        {
            Trial = service.Status == ServiceStatus.Trial,
            BestEffort = service.Status == ServiceStatus.BestEffort,
            Share = share,
            DiskEfficiency = service.DiskEfficiency,
            MissTime = service.MissTime,
            HitTime = Settings.HitTime,
            Absorbed = service.Profile.Absorbed,
            Buffers = BuffersOf(service),
        };
    }

    // Frames without reusable blocks: those of its requests, and one largest access for each stream.
    private int BuffersOf(ServiceState service)
    {
        var ceiling = 0L;
        foreach (var disk in service.Queues.Keys)
            ceiling = Math.Max(ceiling, CeilingOf(disk));
        return Math.Max(LeastPartition, service.MostPinned) + (int)Math.Min(Settings.Frames, service.MostStreams * ceiling);
    }

    private static void NoteStream(ServiceState service, ObjectState target)
    {
        if (target.StreamEpoch == service.Epoch)
            return;
        target.StreamEpoch = service.Epoch;
        service.MostStreams = Math.Max(service.MostStreams, ++service.Streams);
    }

    // Called at every request: ends a trial, or checks that the profile still applies.
    private void Check(ServiceState service)
    {
        var passed = _now - service.EpochStart;
        if (service.Status == ServiceStatus.Trial && !service.WarmedUp && passed >= Settings.Trial / 2)
        {
            service.WarmedUp = true;
            service.Profile.ResetCounts();
            service.Counters.BeginEpoch();
        }

        if (!service.Checked && service.Status != ServiceStatus.Trial && passed >= Settings.Trial / 2 && service.Counters.WindowReferences >= LeastReferences)
        {
            // A change in one half of an epoch affects the whole next half at the latest.
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

    // Half an epoch has few references, so the bound includes its standard error.
    private bool HasMoved(ServiceState service)
    {
        var error = Math.Sqrt(0.25 / Math.Max(1, service.Counters.WindowReferences));
        return service.Counters.WindowReferences >= LeastReferences && Differs(service, service.Counters.WindowAbsorbed, Moved + (3 * error));
    }

    // Unused buffers keep blocks too. So live absorption lies between that of the partition without its buffers and that of the whole partition.
    private bool Differs(ServiceState service, double absorbed, double bound)
    {
        var frames = Math.Min(service.Partition.Target, Settings.Frames);
        return absorbed < service.Profile.Absorbed(Math.Max(0, frames - BuffersOf(service))) - bound || absorbed > service.Profile.Absorbed(frames) + bound;
    }

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

    // A large cache shows its reuse late: the plan is renewed after a change of the need by a sixteenth.
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
        service.MostStreams = service.Streams;
        service.MostPinned = service.Pinned;
        service.Profile.ResetCounts();
        Plan();
    }

    private void Plan()
    {
        if (_shared is not null)
            return;
        SetEfficiency();
        var plan = PartitionPlan.Of(Settings.Insulation, Settings.Frames, LeastPartition, Planned());
        for (var i = 0; i < _services.Count; i++)
        {
            var service = _services[i];
            service.Partition.Target = plan.Targets[i];
            service.Least = plan.Least[i];
            if (service.Status != ServiceStatus.Trial)
                service.Status = plan.Fits[i] ? ServiceStatus.Insulated : ServiceStatus.BestEffort;
        }

        _shrinking = true;
    }

    // R must be lost only once. Without any cache a service would take (1 − absorbed without a cache)/(1 − absorbed by the whole cache) times its
    // disk time. Up to
    // 1/√R its disk compensates by longer accesses and quanta; beyond, disk and cache lose 1 − √R each.
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
        return 1 / Math.Max(1e-9, 1 - service.Profile.Absorbed(Settings.Frames));
    }

    // Reclaims frames of partitions beyond their target; dirty ones are first written in their own service's quanta.
    private void Shrink()
    {
        if (!_shrinking)
            return;
        _shrinking = false;
        foreach (var service in _services)
        {
            while (service.Partition.Used > service.Partition.Target)
            {
                if (!Evict(service, demand: true))
                {
                    _shrinking = true;
                    break;
                }
            }
        }
    }
}

using Stout.Argon.Caching;
using Stout.Argon.Configuration;
using Stout.Argon.Scheduling;

namespace Stout.Argon.Engine;

/// <summary>The core's state of one service.</summary>
internal sealed class ServiceState(int id, double weight, Partition partition, IServiceProfile profile)
{
    public int Id { get; } = id;

    public double Weight { get; set; } = weight;

    public Partition Partition { get; set; } = partition;

    public IServiceProfile Profile { get; } = profile;

    public ServiceStatus Status { get; set; } = ServiceStatus.Trial;

    public ServiceCounters Counters { get; } = new();

    /// <summary>One queue per disk that the service has used.</summary>
    public Dictionary<int, ServiceQueue> Queues { get; } = [];

    /// <summary>The start of the present epoch: a measuring period, which is one trial or one check of the profile.</summary>
    public TimeSpan EpochStart { get; set; }

    /// <summary>The time at which the last request started; at first, the time at which the service was added.</summary>
    public TimeSpan LastRequest { get; set; }

    /// <summary>The request to remove the service; null before.</summary>
    public Request? Removal { get; set; }

    /// <summary>
    /// The removal's present pass over the frames: the next frame, and whether the pass has found a frame in use. The last item is the number of endings at the
    /// pass's beginning.
    /// </summary>
    public (int Frame, bool Found, long Endings) RemovalPass { get; set; }

    /// <summary>The number of the present epoch.</summary>
    public int Epoch { get; set; }

    /// <summary>Whether the counts of the trial's first half have been dropped, since most references in that half are the first to their block.</summary>
    public bool WarmedUp { get; set; }

    /// <summary>Whether the epoch's first half has been compared with the profile.</summary>
    public bool Checked { get; set; }

    /// <summary>
    /// The frames that the service's streams of this epoch need, as a multiple of an access. An object that is read needs one. An object that is written needs
    /// 4/3, since a quarter of a partition is kept clean. <see cref="MostStreams"/> is the largest such number of one epoch since the last trial began.
    /// </summary>
    public double Streams { get; set; }

    public double MostStreams { get; set; }

    /// <summary>The blocks of the service's largest access. Where its partition is too small for accesses of the largest size, they are shorter.</summary>
    public int Access { get; set; } = int.MaxValue;

    /// <summary>
    /// The number of frames that requests of the service pin now. <see cref="MostPinned"/> is the largest such number since the last trial began.
    /// </summary>
    public int Pinned { get; set; }

    public int MostPinned { get; set; }

    /// <summary>
    /// The smallest partition, in frames, that suffices for the promised throughput by the last plan. 0 during a trial, or if the whole cache does not
    /// suffice.
    /// </summary>
    public int Least { get; set; }

    /// <summary>The disk time of the service's requests, divided by the estimated one, as measured in the last trial or check.</summary>
    public double CostRatio { get; set; } = 1;

    /// <summary>The fraction of references that missed the cache and continued a sequence, as measured in the last trial or check.</summary>
    public double Sequential { get; set; }

    /// <summary>The time of a cache hit for each block, as measured in the last trial or check.</summary>
    public TimeSpan HitTime { get; set; } = TimeSpan.FromMicroseconds(1);

    /// <summary>The number of requests that have begun and are not released. At 0, <see cref="IdleSince"/> is the time of the last release.</summary>
    public int Running { get; set; }

    public TimeSpan IdleSince { get; set; }

    /// <summary>The time of the present epoch without requests.</summary>
    public TimeSpan IdleTime { get; set; }

    /// <summary>
    /// The factor by which the time of a reference may differ from the profile, beside its standard errors, before a new trial begins. It grows with each trial
    /// that finds the same need, so that a service with long cycles is not always on trial.
    /// </summary>
    public double Tolerance { get; set; } = 1;

    /// <summary>The least partition before the present trial.</summary>
    public int LeastBefore { get; set; }

    /// <summary>The blocks per second in the last check, and those that the service was promised; null before the first check.</summary>
    public (double Reached, double Promised)? Throughput { get; set; }

    /// <summary>
    /// The fraction of the disk time that the service's quanta do not lose to positioning and drains. It is the smallest of the disks that the service uses.
    /// The insulation R (<see cref="CoreSettings.Insulation"/>) limits the loss by quanta and cache together.
    /// </summary>
    public double DiskEfficiency { get; set; } = 1;
}

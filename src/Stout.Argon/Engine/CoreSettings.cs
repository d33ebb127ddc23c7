using Stout.Argon.Caching;
using Stout.Argon.Scheduling;

namespace Stout.Argon.Engine;

/// <summary>The settings of the core.</summary>
internal sealed record CoreSettings
{
    /// <summary>The insulation R: an insulated service with a fraction f of the server keeps at least R × f of the throughput that it has alone.</summary>
    public double Insulation { get; init; } = 0.9;

    public int BlockSize { get; init; } = 4096;

    /// <summary>The size of the cache in blocks.</summary>
    public int Frames { get; init; }

    public EvictionKind Eviction { get; init; } = EvictionKind.Lru;

    /// <summary>False limits read-ahead to <see cref="FixedPrefetch"/> bytes, as the un-insulated variant does.</summary>
    public bool Amortization { get; init; } = true;

    /// <summary>False gives all services one shared cache, as the un-insulated variant does.</summary>
    public bool Partitions { get; init; } = true;

    public SchedulerSettings Scheduler { get; init; } = new();

    /// <summary>The most bytes of one access without amortization: the read-ahead of operating systems (the paper, section 3.3).</summary>
    public long FixedPrefetch { get; init; } = 128 * 1024;

    /// <summary>The size of the largest access in bytes; null computes it.</summary>
    public long? Ceiling { get; init; }

    /// <summary>The length of a trial, and of each later check of the profile.</summary>
    public TimeSpan Trial { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The core flushes an object that has been unflushed for this time; null never does.</summary>
    public TimeSpan? WriteBackAfter { get; init; }

    /// <summary>The most bytes of one device request; a longer access becomes several consecutive ones.</summary>
    public int LargestIo { get; init; } = 1 << 20;

    /// <summary>The same where services share the disk at once.</summary>
    public int LargestSharedIo { get; init; } = 128 << 10;

    /// <summary>A planted fault for tests: disk and cache may each lose the fraction 1 − R, which they otherwise may lose only together.</summary>
    public bool LoseTwice { get; init; }

    /// <summary>A planted fault for tests: write-backs are charged to the service that needs the frame, not to the service that wrote the block.</summary>
    public bool ChargeReader { get; init; }

    /// <summary>Disables profiles, to measure their cost.</summary>
    public bool NoProfiles { get; init; }

    /// <summary>The un-insulated variant of these settings.</summary>
    public CoreSettings Uninsulated() => this with { Amortization = false, Partitions = false, Scheduler = Scheduler with { Quanta = false } };
}

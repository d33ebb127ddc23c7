using Stout.Argon.Caching;
using Stout.Argon.Exceptions;

namespace Stout.Argon;

/// <summary>The settings of an <see cref="ArgonServer"/>.</summary>
public sealed record ArgonOptions
{
    /// <summary>The size of a block of the cache and of direct I/O, in bytes.</summary>
    public const int BlockSize = 4096;

    /// <summary>The disks, at least one. Each folder stands for one disk.</summary>
    public required IReadOnlyList<ArgonDiskOptions> Disks { get; set; }

    /// <summary>
    /// The insulation R, from 0.1 to 0.99; 0.9 by default. An insulated service with a fraction f of the server keeps at least R × f of the
    /// throughput that it has alone.
    /// </summary>
    public double Insulation { get; set; } = 0.9;

    /// <summary>The bytes of the cache, from 1 MiB; 256 MiB by default. Every service gets at least 256 KiB.</summary>
    public long CacheBytes { get; set; } = 256L << 20;

    /// <summary>The order of eviction; LRU by default.</summary>
    public EvictionKind Eviction { get; set; } = EvictionKind.Lru;

    /// <summary>The length of a trial, in which the engine builds the profile of a service, from 1 s; 30 s by default.</summary>
    public TimeSpan Trial { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// <see cref="ArgonServer.Health"/> reports a disk as unhealthy while one of its requests takes longer than this; above zero, 30 s by default.
    /// </summary>
    public TimeSpan IoTimeLimit { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The server flushes an object by itself when it has been unflushed for this time; above zero, 30 s by default. So memory does not hold unflushed writes
    /// for longer.
    /// </summary>
    public TimeSpan WriteBackAfter { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Whether the server counts the space of each service's objects, so that services can have quotas. The opening then reads the header of each object.
    /// False by default.
    /// </summary>
    public bool Quotas { get; set; }

    /// <summary>Whether the memory survives a loss of power, as the paper's does: flushes then complete at once. False by default.</summary>
    public bool MemoryHasBattery { get; set; }

    /// <summary>False runs the un-insulated variant for comparison: 128 KiB of prefetch, one shared cache, no quanta.</summary>
    public bool Insulated { get; set; } = true;

    /// <summary>Returns the type's name only, since a setting may be a secret.</summary>
    public override string ToString() => nameof(ArgonOptions);

    internal ArgonOptions Copy() => this with { Disks = [.. Disks.Select(static disk => disk with { })] };

    // Explicit checks, since a generated options validator needs Microsoft.Extensions.Options, and this package has no dependencies.
    internal void Validate()
    {
        Check(Disks is { Count: > 0 }, nameof(Disks), "has at least one disk");
        Check(Insulation is >= 0.1 and <= 0.99, nameof(Insulation), "is from 0.1 to 0.99");
        Check(CacheBytes is >= 1 << 20 and <= 1L << 42, nameof(CacheBytes), "is from 1 MiB to 4 TiB");
        Check(Trial >= TimeSpan.FromSeconds(1), nameof(Trial), "is at least 1 s");
        Check(IoTimeLimit > TimeSpan.Zero, nameof(IoTimeLimit), "is above zero");
        Check(WriteBackAfter > TimeSpan.Zero, nameof(WriteBackAfter), "is above zero");
        Check(Enum.IsDefined(Eviction), nameof(Eviction), "is a known kind");
        foreach (var disk in Disks)
        {
            Check(!string.IsNullOrWhiteSpace(disk.Folder), nameof(ArgonDiskOptions.Folder), "names a folder");
            Check(Enum.IsDefined(disk.Sharing), nameof(ArgonDiskOptions.Sharing), "is a known kind");
            Check(disk.QueueDepth is >= 1 and <= 256, nameof(ArgonDiskOptions.QueueDepth), "is from 1 to 256");
            Check(disk.MostRequestsPerSecond is null or > 0, nameof(ArgonDiskOptions.MostRequestsPerSecond), "is above zero");
            Check(disk.MostBytesPerSecond is null or > 0, nameof(ArgonDiskOptions.MostBytesPerSecond), "is above zero");
        }

        static void Check(bool holds, string name, string rule)
        {
            if (!holds)
                throw new InvalidArgonOptionException(name, rule);
        }
    }
}

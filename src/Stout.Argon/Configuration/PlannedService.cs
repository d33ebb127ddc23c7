namespace Stout.Argon.Configuration;

/// <summary>The plan's input for one service.</summary>
internal sealed record PlannedService
{
    /// <summary>The fraction of <see cref="MissTime"/> that a cache of a number of blocks saves.</summary>
    public required Func<int, double> Absorbed { get; init; }

    public bool Trial { get; init; }

    /// <summary>Whether the service sends no requests. It gets the least partition, and no spare frames.</summary>
    public bool Idle { get; init; }

    /// <summary>Whether the service did not fit into the last plan; services that fitted have priority.</summary>
    public bool BestEffort { get; init; }

    /// <summary>The service's fraction of the server's time.</summary>
    public double Share { get; init; } = 1;

    /// <summary>The disk efficiency: the fraction of the service's disk time that its quanta don't lose to positioning and drains.</summary>
    public double DiskEfficiency { get; init; } = 1;

    /// <summary>The mean disk time of a reference without a cache, with accesses of the largest size.</summary>
    public TimeSpan MissTime { get; init; }

    /// <summary>The time of a reference beside its disk time.</summary>
    public TimeSpan HitTime { get; init; }

    /// <summary>The number of frames for the service's requests. These frames hold no reusable blocks.</summary>
    public int Buffers { get; init; }

    /// <summary>The frames that the service's streams need, as a multiple of the blocks of one access. They hold no reusable blocks either.</summary>
    public double Streams { get; init; }

    /// <summary>The blocks of the largest access.</summary>
    public int MostAccess { get; init; } = 1;

    /// <summary>The positioning time per reference if the accesses of streams had one block.</summary>
    public TimeSpan StreamPositioning { get; init; }
}

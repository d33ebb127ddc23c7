namespace Stout.Argon.Configuration;

/// <summary>The plan's input for one service.</summary>
internal sealed record PlannedService
{
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

    public TimeSpan MissTime { get; init; }

    public TimeSpan HitTime { get; init; }

    /// <summary>The number of frames for the service's requests and streams. These frames hold no reusable blocks.</summary>
    public int Buffers { get; init; }
}

namespace Stout.Argon.Configuration;

/// <summary>The plan's input for one service.</summary>
internal sealed record PlannedService
{
    public required Func<int, double> Absorbed { get; init; }

    public bool Trial { get; init; }

    /// <summary>Whether it did not fit into the last plan; services that fitted have priority.</summary>
    public bool BestEffort { get; init; }

    /// <summary>The fraction of the server's time.</summary>
    public double Share { get; init; } = 1;

    /// <summary>The fraction of its disk time alone that a quantum keeps.</summary>
    public double DiskEfficiency { get; init; } = 1;

    public TimeSpan MissTime { get; init; }

    public TimeSpan HitTime { get; init; }

    /// <summary>Frames for its requests and streams, which hold no reusable blocks.</summary>
    public int Buffers { get; init; }
}

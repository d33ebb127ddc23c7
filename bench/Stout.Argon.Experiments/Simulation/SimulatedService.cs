namespace Stout.Argon.Experiments.Simulation;

/// <summary>A service of a simulated server: a closed loop of requests.</summary>
internal sealed record SimulatedService(string Name, Func<IPattern> Pattern)
{
    public int InFlight { get; init; } = 1;

    public double Weight { get; init; } = 1;

    public int Disk { get; init; }

    /// <summary>The time between an answer and the next request, beside the time of a cache hit for each block.</summary>
    public TimeSpan Think { get; init; }

    /// <summary>Whether the service reads or writes blocks again, so that its throughput is meaningful only after its cache has filled.</summary>
    public bool Reuses { get; init; }

    /// <summary>The time that the service needs alone until its cache is filled. Null lets it run alone as long as among others.</summary>
    public TimeSpan? Settles { get; init; }

    /// <summary>The time at which the service begins.</summary>
    public TimeSpan Joins { get; init; }

    /// <summary>The time from which the service sends no more requests.</summary>
    public TimeSpan Leaves { get; init; } = TimeSpan.MaxValue;
}

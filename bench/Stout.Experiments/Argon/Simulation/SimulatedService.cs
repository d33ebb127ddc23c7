namespace Stout.Experiments.Argon.Simulation;

/// <summary>A service of a simulated server: a closed loop of requests.</summary>
internal sealed record SimulatedService(string Name, Func<IPattern> Pattern)
{
    public int InFlight { get; init; } = 1;

    public double Weight { get; init; } = 1;

    public int Disk { get; init; }

    /// <summary>The time between an answer and the next request, beside that of the request itself.</summary>
    public TimeSpan Think { get; init; }

    /// <summary>It reads blocks again: its cache has to fill before its throughput means something.</summary>
    public bool Reuses { get; init; }

    /// <summary>When it comes to the server.</summary>
    public TimeSpan Joins { get; init; }

    /// <summary>When it sends its last request.</summary>
    public TimeSpan Leaves { get; init; } = TimeSpan.MaxValue;
}

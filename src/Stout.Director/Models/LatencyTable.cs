namespace Stout.Director.Models;

/// <summary>
/// The share of visits slower than each of some thresholds, by the load of the server and the share of its capacity that a copy takes.
/// The exact simulation or telemetry makes it; the flow simulation reads it.
/// </summary>
public sealed record LatencyTable
{
    /// <summary>Loads in shares of the steady-state model's boundary, ascending.</summary>
    public required IReadOnlyList<double> Loads { get; init; }

    /// <summary>Thresholds in seconds, ascending.</summary>
    public required IReadOnlyList<double> Thresholds { get; init; }

    /// <summary>For each load, for each threshold: the share of visits that are slower, from 0 to 1, at a server without copies.</summary>
    public required IReadOnlyList<IReadOnlyList<double>> Slow { get; init; }

    /// <summary>The same at a server that is the target of a copy.</summary>
    public required IReadOnlyList<IReadOnlyList<double>> SlowUnderCopy { get; init; }

    /// <summary>For each load: the variance of the share slower than the objective's threshold, over one second at one server.</summary>
    public required IReadOnlyList<double> Variance { get; init; }

    /// <summary>The load, in shares of the boundary, above which a server's queue grows without bound.</summary>
    public required double Saturation { get; init; }
}

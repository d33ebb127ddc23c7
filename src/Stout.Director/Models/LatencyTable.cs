namespace Stout.Director.Models;

/// <summary>
/// Read latency at steady load, which the flow simulation needs. The table comes from the exact simulation or from telemetry. Loads are shares of the
/// steady-state model's boundary. A copy that takes a share c of its target makes the load 1 / (1 - c) times as high.
/// </summary>
public sealed record LatencyTable
{
    /// <summary>Loads in shares of the boundary, ascending. At least two.</summary>
    public required IReadOnlyList<double> Loads { get; init; }

    /// <summary>Thresholds in seconds, ascending. At least one.</summary>
    public required IReadOnlyList<double> Thresholds { get; init; }

    /// <summary>For each load, for each threshold: the share of slower reads if every read is sent to one server of that load.</summary>
    public required IReadOnlyList<IReadOnlyList<double>> SlowAtOne { get; init; }

    /// <summary>
    /// For each load, for each threshold: the share of slower reads if every read is sent to two servers of that load. The first answer counts.
    /// </summary>
    public required IReadOnlyList<IReadOnlyList<double>> SlowAtTwo { get; init; }

    /// <summary>
    /// For each load: the squared coefficient of variation of the share slower than the objective's threshold, for one server and one second.
    /// </summary>
    public required IReadOnlyList<double> Dispersion { get; init; }

    /// <summary>The load in shares of the boundary at which a server's queue begins to grow without bound.</summary>
    public required double Saturation { get; init; }

    /// <summary>The longest queue of a server in seconds.</summary>
    public required double LongestQueue { get; init; }

    /// <summary>The share of the target server that a copy takes, for each byte per second of the copy's rate.</summary>
    public required double CopyShare { get; init; }
}

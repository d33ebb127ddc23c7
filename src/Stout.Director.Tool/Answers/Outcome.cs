using Stout.Director.Simulation.Running;

namespace Stout.Director.Tool.Answers;

/// <summary>The figures of one run, or of what was measured.</summary>
internal sealed record Outcome
{
    /// <summary>The mean number of servers.</summary>
    public required double Servers { get; init; }

    /// <summary>The largest number of servers.</summary>
    public required double Most { get; init; }

    /// <summary>The paid server hours.</summary>
    public required double ServerHours { get; init; }

    /// <summary>The cost.</summary>
    public required double Cost { get; init; }

    /// <summary>The highest of <see cref="SimulationResult.Percentiles"/> that stays under the threshold in every interval, or 0.</summary>
    public required double Attained { get; init; }

    /// <summary>The minutes of the intervals that violate the objective.</summary>
    public required double ViolatedMinutes { get; init; }

    /// <summary>The share of all reads that were slower than the threshold.</summary>
    public required double Slow { get; init; }

    /// <summary>The share of the time in which the mean load of a server was above all measured loads.</summary>
    public double Extrapolated { get; init; }

    /// <summary>The number of servers over time.</summary>
    public IReadOnlyList<double> Over { get; init; } = [];

    /// <summary>The share of slow reads in each interval; NaN where it is unknown.</summary>
    public IReadOnlyList<double> SlowShares { get; init; } = [];
}

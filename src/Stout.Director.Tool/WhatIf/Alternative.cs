using System.Globalization;
using Stout.Director.Simulation.Running;

namespace Stout.Director.Tool.WhatIf;

/// <summary>One simulated alternative of a comparison, with its result.</summary>
internal sealed record Alternative(string Name, ServiceObjective Objective, SimulationResult Result)
{
    /// <summary>The share of intervals that meet the objective.</summary>
    public double Attainment
    {
        get
        {
            var shares = Result.SlowShares(Objective.Interval).ToList();
            return (double)shares.Count(share => share <= Objective.SlowBudget) / shares.Count;
        }
    }

    public IReadOnlyList<string> Cells =>
    [
        Name,
        Number("0.0", Result.Intervals.Average(interval => interval.Servers)),
        Number("0", Result.Intervals.Max(interval => interval.Servers)),
        Number("0.00", Result.Cost),
        Number("0.00 %", Attainment),
        Number("0", Result.Violations(Objective.Percentile, Objective.Interval)),
        Number("#,0", Result.Moves),
    ];

    private static string Number(string format, double value) => value.ToString(format, CultureInfo.InvariantCulture);
}

using System.Globalization;
using Stout.Director.Simulation.Running;

namespace Stout.Director.Tool.WhatIf;

/// <summary>One simulated alternative of a comparison, with its result.</summary>
internal sealed record Alternative(string Name, ServiceObjective Objective, SimulationResult Result)
{
    private TimeSpan Interval => TimeSpan.FromSeconds(Math.Max(1, Math.Round(Objective.Interval.TotalSeconds / 20)) * 20);

    /// <summary>The share of intervals that meet the objective.</summary>
    public double Attainment
    {
        get
        {
            var shares = Result.SlowShares(Interval).ToList();
            return shares.Count == 0 ? 1 : (double)shares.Count(share => share <= Objective.SlowBudget) / shares.Count;
        }
    }

    public IReadOnlyList<string> Cells =>
    [
        Name,
        Number("0.0", Result.Intervals.Average(interval => interval.Servers)),
        Number("0", Result.Intervals.Max(interval => interval.Servers)),
        Number("0.00", Result.Cost),
        Number("0.00 %", Attainment),
        Number("0", Result.Violations(Objective.Percentile, Interval)),
        Number("#,0", Result.Moves),
    ];

    private static string Number(string format, double value) => value.ToString(format, CultureInfo.InvariantCulture);
}

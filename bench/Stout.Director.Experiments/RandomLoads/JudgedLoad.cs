namespace Stout.Director.Experiments.RandomLoads;

/// <summary>A drawn load with the figures of the Director and of all comparators.</summary>
/// <param name="Load">The load.</param>
/// <param name="Director">The Director.</param>
/// <param name="Others">The comparators.</param>
internal sealed record JudgedLoad(DrawnLoad Load, ControllerRun Director, IReadOnlyList<ControllerRun> Others)
{
    /// <summary>The minute by which a comparator may violate the objective longer than the Director.</summary>
    private const int Allowance = 1;

    /// <summary>The cheapest comparator that violates the objective no longer than the Director; null if every one violates it longer.</summary>
    public ControllerRun? Comparator => Others.Where(other => other.ViolatedMinutes <= Director.ViolatedMinutes + Allowance).MinBy(other => other.Cost);

    /// <summary>The Director's cost over the comparator's; 1 without a comparator.</summary>
    public double Ratio => Comparator is { } other ? Director.Cost / other.Cost : 1;
}

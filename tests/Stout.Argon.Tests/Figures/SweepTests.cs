using Stout.Argon.Experiments.Figures;

namespace Stout.Argon.Tests.Figures;

/// <summary>The value of a parameter that the engine computes is near the knee of the throughput's curve. Larger values lose no throughput.</summary>
public sealed class SweepTests
{
    public static TheoryData<string> Sweeps => [.. PaperSweeps.All.Select(sweep => sweep.Name)];

    [Theory]
    [MemberData(nameof(Sweeps))]
    public void The_computed_value_is_within_a_factor_of_two_of_the_knee(string name)
    {
        var sweep = PaperSweeps.All.Single(sweep => sweep.Name == name);
        var points = sweep.Run();
        var knee = points.First(point => point.Fraction >= 0.9).Value;
        Assert.InRange(sweep.Computed(sweep.Figure.Server), knee / 2, knee * 2);
        Assert.True(points[0].Fraction < 0.6, $"{points[0]}");
        var beyond = points.SkipWhile(point => point.Value < 2 * knee).Select(point => point.Mean).ToList();
        Assert.True(beyond.Max() - beyond.Min() <= 0.05, string.Join(", ", points));
    }
}

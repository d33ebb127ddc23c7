using Stout.Experiments.Measuring;

namespace Stout.Experiments.Tests.Measuring;

public sealed class PairedRatioTests
{
    [Fact]
    public void It_is_the_geometric_mean_and_its_interval_is_students()
    {
        // The logarithms of the ratios are 1, 2, 3, 4 and 5: mean 3, deviation √2.5, standard error √0.5. The interval has 2.776 of these on either side.
        var ratio = PairedRatio.Of(Enumerable.Range(1, 5).Select(i => (10 * Math.Exp(i), 10.0)));
        Assert.Equal(3, Math.Log(ratio.Ratio), 9);
        Assert.Equal(3 - (2.776445 * Math.Sqrt(0.5)), Math.Log(ratio.Low!.Value), 5);
        Assert.Equal(3 + (2.776445 * Math.Sqrt(0.5)), Math.Log(ratio.High!.Value), 5);
        Assert.Equal(5, ratio.Pairs);
    }

    [Fact]
    public void What_disturbs_both_of_a_pair_alike_does_not_widen_it()
    {
        var ratio = PairedRatio.Of([(2, 1), (20, 10), (0.2, 0.1)]);
        Assert.Equal(2, ratio.Ratio, 9);
        Assert.Equal(2, ratio.Low!.Value, 9);
        Assert.Equal(2, ratio.High!.Value, 9);
    }

    [Fact]
    public void Equal_ratios_the_other_way_round_are_the_inverse()
    {
        (double, double)[] pairs = [(3, 2), (5, 4), (1, 1)];
        var (there, back) = (PairedRatio.Of(pairs), PairedRatio.Of(pairs.Select(pair => (pair.Item2, pair.Item1))));
        Assert.Equal(1 / there.Ratio, back.Ratio, 12);
        Assert.Equal(1 / there.Low!.Value, back.High!.Value, 12);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void Too_few_pairs_have_no_interval_and_decide_nothing(int pairs)
    {
        var ratio = PairedRatio.Of(Enumerable.Repeat((2.0, 1.0), pairs));
        Assert.Null(ratio.Low);
        Assert.Null(ratio.High);
        Assert.Equal(Verdict.Undecided, ratio.AtMost(1));
        Assert.Equal(Verdict.Undecided, ratio.AtMost(100));
    }

    [Theory]
    [InlineData(1.0, nameof(Verdict.Missed))]
    [InlineData(1.19, nameof(Verdict.Missed))]
    [InlineData(1.2, nameof(Verdict.Undecided))]
    [InlineData(1.39, nameof(Verdict.Undecided))]
    [InlineData(1.4, nameof(Verdict.Met))]
    public void A_goal_is_met_or_missed_only_outside_the_interval(double goal, string verdict) =>
        Assert.Equal(verdict, new PairedRatio(1.3, 1.2, 1.4, 5).AtMost(goal).ToString());

    [Fact]
    public void Fewer_degrees_of_freedom_leave_more_room()
    {
        (double, double)[] pairs = [(2, 1), (4, 1)];
        var (few, many) = (PairedRatio.Of(pairs), PairedRatio.Of(Enumerable.Repeat(pairs, 20).SelectMany(pair => pair)));
        Assert.Equal(few.Ratio, many.Ratio, 9);
        Assert.True(few.High > many.High && few.Low < many.Low);
    }

    [Fact]
    public void An_estimate_is_the_median_with_the_least_and_the_greatest_and_one_run_has_neither()
    {
        Assert.Equal(new Estimate(3, 1, 9), Estimate.Of([9, 1, 3]));
        Assert.Equal(new Estimate(4), Estimate.Of([4]));
        Assert.Equal(new Estimate(2, 2, 5), Estimate.OfRatios([2, 40, 10], [1, 20, 2]));
    }
}

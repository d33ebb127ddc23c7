using FsCheck;
using FsCheck.Fluent;
using Stout.Plots;

namespace Stout.Experiments.Tests.Output;

public sealed class AxisTests
{
    private static readonly Arbitrary<(double, double)> Ranges = (
        from exponent in Gen.Choose(-6, 6)
        from least in Gen.Choose(1, 9_999)
        from more in Gen.Choose(0, 100_000)
        let unit = Math.Pow(10, exponent)
        select (least * unit, (least + more) * unit)).ToArbitrary();

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(false, true)]
    public void Whatever_the_values_the_axis_holds_them_and_its_ticks(bool logarithmic, bool exact) => Prop.ForAll(Ranges, range =>
    {
        var axis = Axis.Of([range.Item1, range.Item2], logarithmic, exact);
        Assert.InRange(axis.Place(range.Item1), -1e-6, 1 + 1e-6);
        Assert.InRange(axis.Place(range.Item2), -1e-6, 1 + 1e-6);
        Assert.InRange(axis.Ticks.Count, 2, 16);
        Assert.All(axis.Ticks, tick => Assert.InRange(axis.Place(tick), -1e-6, 1 + 1e-6));
        Assert.Equal(axis.Ticks.Order(), axis.Ticks);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_linear_axis_begins_at_zero_in_steps_of_one_two_or_five() =>
        Assert.Equal([0, 10_000, 20_000, 30_000, 40_000, 50_000], Axis.Of([5_000, 41_000], logarithmic: false).Ticks);

    [Fact]
    public void An_exact_axis_ends_with_the_greatest_value()
    {
        var axis = Axis.Of([5_000, 41_000], logarithmic: false, exact: true);
        Assert.Equal([0, 10_000, 20_000, 30_000, 40_000], axis.Ticks);
        Assert.Equal(1, axis.Place(41_000));
    }

    [Fact]
    public void A_linear_axis_holds_what_is_below_zero() => Assert.Equal([-1, -0.5, 0, 0.5, 1, 1.5, 2], Axis.Of([-0.8, 1.9], logarithmic: false).Ticks);

    [Fact]
    public void A_logarithmic_axis_begins_and_ends_with_round_values() =>
        Assert.Equal([2, 5, 10, 20, 50, 100, 200], Axis.Of([4.2, 144], logarithmic: true).Ticks);

    [Fact]
    public void A_wide_logarithmic_axis_names_powers_of_ten_alone() =>
        Assert.Equal([0.1, 1, 10, 100, 1_000, 10_000], Axis.Of([0.1, 9_000], logarithmic: true).Ticks);

    [Fact]
    public void An_axis_without_values_is_one_all_the_same() => Assert.Equal(0, Axis.Of([double.NaN], logarithmic: true).Place(0));
}

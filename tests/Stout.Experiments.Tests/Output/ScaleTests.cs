using FsCheck;
using FsCheck.Fluent;
using Stout.Experiments.Output.Plots;

namespace Stout.Experiments.Tests.Output;

public sealed class ScaleTests
{
    private static readonly Arbitrary<(double, double)> Ranges = (
        from exponent in Gen.Choose(-6, 6)
        from least in Gen.Choose(1, 9_999)
        from more in Gen.Choose(0, 100_000)
        let unit = Math.Pow(10, exponent)
        select (least * unit, (least + more) * unit)).ToArbitrary();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_axis_holds_all_its_values_and_its_ticks(bool logarithmic) => Prop.ForAll(Ranges, range =>
    {
        var scale = Scale.Of(logarithmic, [range.Item1, range.Item2]);
        Assert.InRange(scale.Place(range.Item1), scale.From, scale.To);
        Assert.InRange(scale.Place(range.Item2), scale.From, scale.To);
        Assert.True(scale.Place(range.Item1) <= scale.Place(range.Item2));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_linear_axis_begins_at_zero_unless_a_value_lies_below()
    {
        Assert.Equal(0, Scale.Of(logarithmic: false, [5_000, 41_000]).From);
        Assert.InRange(Scale.Of(logarithmic: false, [-0.8, 1.9]).From, -1, -0.8);
    }

    [Fact]
    public void A_logarithmic_axis_names_one_two_and_five_times_powers_of_ten() => Assert.Equal([5, 10, 20, 50, 100], Scale.Of(logarithmic: true, [4.2, 144]).RoundValues);

    [Fact]
    public void A_wide_logarithmic_axis_names_powers_of_ten_alone() => Assert.Equal([0.1, 1, 10, 100, 1_000, 10_000], Scale.Of(logarithmic: true, [0.1, 9_000]).RoundValues);

    [Fact]
    public void A_value_that_a_logarithmic_axis_does_not_have_stands_at_its_foot()
    {
        var scale = Scale.Of(logarithmic: true, [1, 100]);
        Assert.Equal(scale.From, scale.Place(0));
    }

    [Fact]
    public void An_axis_without_values_is_an_axis() => Assert.Equal(0, Scale.Of(logarithmic: true, [double.NaN]).Place(0));
}

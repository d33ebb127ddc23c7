using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

public sealed class LastFiveTests
{
    [Fact]
    public void The_median_is_the_lower_middle_of_the_last_five_samples_however_many_there_were()
        => Prop.ForAll(Gen.Choose(-5, 5).ArrayOf().ToArbitrary(), samples =>
        {
            var five = new LastFive();
            return Enumerable.Range(1, samples.Length).All(count =>
            {
                var last = samples[..count].TakeLast(5).Order().ToArray();
                five.Add(samples[count - 1]);
                return five.Median == last[(last.Length - 1) / 2];
            });
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void The_highest_is_that_of_the_last_five_once_there_are_as_many()
        => Prop.ForAll(Gen.Choose(-5, 5).ArrayOf().ToArbitrary(), samples =>
        {
            var five = new LastFive();
            return Enumerable.Range(1, samples.Length).All(count =>
            {
                five.Add(samples[count - 1]);
                return five.Highest == (count < 5 ? double.PositiveInfinity : samples[..count].TakeLast(5).Max());
            });
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void It_forgets_on_demand()
    {
        var five = new LastFive();
        five.Add(1);
        five.Add(1);
        five.Forget();

        Assert.Equal(double.PositiveInfinity, five.Highest);
        five.Add(9);
        Assert.Equal(9, five.Median);
        five.Add(8);
        Assert.Equal(8, five.Median);
    }
}

using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

public sealed class RecentDelaysTests
{
    [Fact]
    public void The_median_is_the_lower_middle_of_the_last_five_samples_however_many_there_were()
        => Prop.ForAll(Gen.Choose(-5, 5).ArrayOf().ToArbitrary(), samples =>
        {
            var delays = new RecentDelays();
            return Enumerable.Range(1, samples.Length).All(count =>
            {
                var last = samples[..count].TakeLast(5).Order().ToArray();
                return delays.MedianWith(samples[count - 1]) == last[(last.Length - 1) / 2];
            });
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void The_highest_is_that_of_the_last_five_once_there_are_as_many()
        => Prop.ForAll(Gen.Choose(-5, 5).ArrayOf().ToArbitrary(), samples =>
        {
            var delays = new RecentDelays();
            return Enumerable.Range(1, samples.Length).All(count =>
            {
                delays.MedianWith(samples[count - 1]);
                return delays.Highest == (count < 5 ? double.PositiveInfinity : samples[..count].TakeLast(5).Max());
            });
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void It_forgets_on_demand()
    {
        var delays = new RecentDelays();
        delays.MedianWith(1);
        delays.MedianWith(1);
        delays.Forget();

        Assert.Equal(double.PositiveInfinity, delays.Highest);
        Assert.Equal(9, delays.MedianWith(9));
        Assert.Equal(8, delays.MedianWith(8));
    }
}

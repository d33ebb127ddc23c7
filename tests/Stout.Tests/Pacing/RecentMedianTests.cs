using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

public sealed class RecentMedianTests
{
    [Fact]
    public void It_is_the_lower_middle_of_the_last_five_samples_however_many_there_were()
        => Prop.ForAll(Gen.Choose(-5, 5).ArrayOf().ToArbitrary(), samples =>
        {
            var median = new RecentMedian();
            return Enumerable.Range(1, samples.Length).All(count =>
            {
                var last = samples[..count].TakeLast(5).Order().ToArray();
                return median.With(samples[count - 1]) == last[(last.Length - 1) / 2];
            });
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void It_forgets_on_demand()
    {
        var median = new RecentMedian();
        median.With(1);
        median.With(1);
        median.Forget();

        Assert.Equal(9, median.With(9));
        Assert.Equal(8, median.With(8));
    }
}

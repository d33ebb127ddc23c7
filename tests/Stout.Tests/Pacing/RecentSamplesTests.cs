using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

public sealed class RecentSamplesTests
{
    [Fact]
    public void The_medians_are_the_two_in_the_middle_of_the_last_five_recenthowever_many_there_were()
        => Prop.ForAll(Gen.Choose(-5, 5).ArrayOf().ToArbitrary(), samples =>
        {
            var recent = new RecentSamples(5);
            return Enumerable.Range(1, samples.Length).All(count =>
            {
                var last = samples[..count].TakeLast(5).Order().ToArray();
                recent.Add(samples[count - 1]);
                return recent.Count == last.Length && recent.LowerMedian == last[(last.Length - 1) / 2] && recent.UpperMedian == last[last.Length / 2];
            });
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void The_highest_is_that_of_the_last_five_once_there_are_as_many()
        => Prop.ForAll(Gen.Choose(-5, 5).ArrayOf().ToArbitrary(), samples =>
        {
            var recent = new RecentSamples(5);
            return Enumerable.Range(1, samples.Length).All(count =>
            {
                recent.Add(samples[count - 1]);
                return recent.Highest == (count < 5 ? double.PositiveInfinity : samples[..count].TakeLast(5).Max());
            });
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void It_forgets_on_demand()
    {
        var recent = new RecentSamples(5);
        recent.Add(1);
        recent.Add(1);
        recent.Forget();
        Assert.Equal((0, 0.0, 0.0, double.PositiveInfinity), (recent.Count, recent.LowerMedian, recent.UpperMedian, recent.Highest));

        recent.Add(9);
        recent.Add(8);
        Assert.Equal((2, 8.0, 9.0), (recent.Count, recent.LowerMedian, recent.UpperMedian));
    }
}

using Stout.Director.Loads;

namespace Stout.Director.Tests.Loads;

public sealed class VisitCounterTests
{
    [Fact]
    public void Every_visit_is_counted_once_and_then_forgotten()
    {
        var counter = new VisitCounter(3);
        for (var i = 0; i < 40; i++)
            counter.Get(1);
        counter.Put(2);
        Assert.Equal([new(1, 2, 0), new(2, 0, 0.05)], counter.Harvest([1, 2], TimeSpan.FromSeconds(20)));
        Assert.Equal([new(1, 0, 0)], counter.Harvest([1], TimeSpan.FromSeconds(20)));
    }

    [Fact]
    public void Sampled_visits_are_scaled_up()
    {
        var counter = new VisitCounter(1, getShare: 0.02, putShare: 0.4);
        for (var i = 0; i < 100_000; i++)
        {
            counter.Get(0);
            counter.Put(0);
        }

        var visits = Assert.Single(counter.Harvest([0], TimeSpan.FromSeconds(1)));
        Assert.InRange(visits.Gets, 93_000, 107_000);
        Assert.InRange(visits.Puts, 98_500, 101_500);
    }

    [Fact]
    public void Bad_shares_and_bins_are_refused()
    {
        Assert.Throws<InvalidPolicyException>(() => new VisitCounter(1, getShare: 0));
        Assert.Throws<InvalidPolicyException>(() => new VisitCounter(0));
        Assert.Throws<UnknownBinException>(() => new VisitCounter(1).Get(1));
    }
}

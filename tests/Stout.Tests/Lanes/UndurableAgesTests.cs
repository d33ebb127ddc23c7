using Stout.Lanes.Core;

namespace Stout.Tests.Lanes;

/// <summary>The moments at which keys became dirty. <see cref="ModelTests"/> tests them in any order of calls.</summary>
public sealed class UndurableAgesTests
{
    private readonly UndurableAges _ages = new();

    [Fact]
    public void A_change_at_the_lanes_first_instant_counts()
    {
        Assert.Null(_ages.Oldest);
        _ages.Begin(TimeSpan.Zero);
        Assert.Equal(TimeSpan.Zero, _ages.Oldest);
    }

    [Fact]
    public void Changes_of_one_moment_are_counted_together()
    {
        var first = _ages.Begin(TimeSpan.FromTicks(5));
        var second = _ages.Begin(TimeSpan.FromTicks(5));

        Assert.Same(first, second);
        _ages.End(first);
        Assert.Equal(TimeSpan.FromTicks(5), _ages.Oldest);
        _ages.End(second);
        Assert.Null(_ages.Oldest);
    }

    [Fact]
    public void One_change_that_stays_undurable_keeps_no_moment_but_its_own()
    {
        var stuck = _ages.Begin(TimeSpan.Zero);
        var first = _ages.Begin(TimeSpan.FromTicks(1));
        _ages.End(first);
        for (var i = 2; i < 100_000; i++)
        {
            var moment = _ages.Begin(TimeSpan.FromTicks(i));
            Assert.Same(first, moment);
            _ages.End(moment);
        }

        Assert.Equal(TimeSpan.Zero, _ages.Oldest);
        _ages.End(stuck);
        Assert.Null(_ages.Oldest);
    }

    [Fact]
    public void A_stall_leaves_few_spare_moments_behind()
    {
        var moments = Enumerable.Range(0, 10_000).Select(i => _ages.Begin(TimeSpan.FromTicks(i))).ToList();
        moments.ForEach(_ages.End);

        Assert.InRange(_ages.Pooled, 1, 256);
    }

    [Fact]
    public void A_moment_that_is_over_is_used_again()
    {
        var first = _ages.Begin(TimeSpan.FromTicks(1));
        _ages.End(first);

        Assert.Same(first, _ages.Begin(TimeSpan.FromTicks(2)));
    }
}

using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>When a delay that stays is taken for the store's own. A queue of 10 ms above a target of 1 is given.</summary>
public sealed class ElasticityTests
{
    private Elasticity _elasticity = new();
    private double _now;

    [Fact]
    public void A_delay_that_outlasts_ten_times_itself_at_six_times_the_spacing_is_no_queue()
    {
        Begin();
        Assert.False(Tell(queue: 10, spacing: 60)); // from here on
        for (var i = 0; i < 8; i++)
            Assert.False(Tell(queue: 10, spacing: 60, passed: 12.5)); // 100 ms
        Assert.True(Tell(queue: 10, spacing: 60, passed: 0.1));
    }

    [Theory]
    [InlineData(59.9, 2.5, false, false)]
    [InlineData(60, 2.5, false, true)]
    [InlineData(39.9, 2.4, false, false)] // four times suffice where the delay is more than four idle latencies
    [InlineData(40, 2.4, false, true)]
    [InlineData(79.9, 2.4, true, false)] // and eight are asked of who can hardly slow down any more
    [InlineData(80, 2.5, true, true)]
    public void How_much_more_seldom_batches_leave_before_it_tells(double spacing, double idle, bool isNearLongest, bool expected)
    {
        Begin();
        Assert.Equal(expected, Enumerable.Range(0, 1000).Any(_ => Tell(queue: 10, spacing, passed: 100, idle, isNearLongest)));
    }

    [Fact]
    public void For_eight_answers_more_the_other_lanes_may_not_have_found_it_out()
    {
        Begin();
        Assert.False(_elasticity.IsStoreUnknown);
        while (!Tell(queue: 10, spacing: 60, passed: 100))
            Assert.False(_elasticity.IsStoreUnknown);
        for (var i = 0; i < 8; i++)
        {
            Assert.True(_elasticity.IsStoreUnknown);
            Tell(queue: 0.5, spacing: 60);
        }

        Assert.False(_elasticity.IsStoreUnknown);
    }

    [Fact]
    public void It_takes_eight_answers_however_long_they_take()
    {
        Begin();
        Tell(queue: 10, spacing: 60);
        Assert.Equal([false, false, false, false, false, false, false, true], Enumerable.Range(0, 8).Select(_ => Tell(queue: 10, spacing: 60, passed: 1000)));
    }

    [Fact]
    public void A_queue_that_drains_is_one()
    {
        Begin();
        var queue = 1000.0;
        for (; queue > 1.2; queue *= 0.98)
            Assert.False(Tell(queue, spacing: 60, passed: queue)); // an eighth of its time would show 0.85 sooner than this
    }

    [Fact]
    public void What_falls_below_the_target_begins_anew()
    {
        Begin();
        Tell(queue: 10, spacing: 60);
        Tell(queue: 0.5, spacing: 60);
        Assert.DoesNotContain(true, Enumerable.Range(0, 100).Select(_ => Tell(queue: 10, spacing: 60, passed: 100)));
    }

    [Fact]
    public void And_so_does_what_was_found_once()
    {
        Begin();
        Tell(queue: 10, spacing: 60);
        Assert.Single(Enumerable.Range(0, 100).Select(_ => Tell(queue: 10, spacing: 60, passed: 100)), found => found);
    }

    private void Begin() => Assert.False(Tell(queue: 0.5, spacing: 10));

    private bool Tell(double queue, double spacing, double passed = 1, double idle = 10, bool isNearLongest = false)
        => _elasticity.IsMissing(_now += passed, queue, target: 1, idle, spacing, isNearLongest);
}

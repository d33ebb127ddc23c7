using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What the default law does about a store that has fallen far behind, where nothing swings; and about a pause, which looks like that. Intervals are known to a tick, 0.0001 ms.</summary>
public sealed class DelayLawBacklogTests
{
    private const double Tick = 0.0002;

    private readonly DelayLaw _law = new(new() { Swing = 0 });
    private double _now;

    private double Interval => _law.Interval.TotalMilliseconds;

    [Fact]
    public void Who_met_the_queue_leaves_later_by_twice_as_much_as_the_answer_came_late()
    {
        Idle();

        for (var i = 0; i < 4; i++)
            Answer(latency: 210, applicationLimited: true);

        Assert.Equal(2 * (200 - (2 * 10)), Interval, tolerance: 2); // two idle latencies are no matter
    }

    [Fact]
    public void The_interval_is_no_less_than_half_of_the_rounds_in_which_it_drains()
    {
        Idle();
        for (var i = 0; i < 4; i++)
            Answer(latency: 210, passed: 300);
        for (var i = 0; i < 3; i++)
            Answer(latency: 10, passed: 300, applicationLimited: true);

        Assert.Equal(150 * Math.Exp(-0.5), Interval, Tick); // and with the last one it is stale: fifteen times the latency, and no queue
    }

    [Fact]
    public void Where_batches_left_as_soon_as_there_was_something_to_send_rounds_tell_nothing()
    {
        Idle();
        for (var i = 0; i < 4; i++)
            Answer(latency: 210, passed: 300, applicationLimited: true);
        for (var i = 0; i < 3; i++)
            Answer(latency: 10, passed: 300, applicationLimited: true);

        Assert.InRange(Interval, 0.5, 2);
    }

    [Fact]
    public void What_was_under_way_together_when_the_store_paused_holds_nothing_back()
    {
        Idle();

        for (var i = 0; i < 10; i++)
            Answer(latency: 2_700, apart: 2);

        Assert.InRange(Interval, 0.5, 2); // an ordinary step each
    }

    [Fact]
    public void Nor_do_requests_that_a_pause_has_not_met_wait_for_it()
    {
        Idle();
        for (var i = 0; i < 10; i++)
            Answer(latency: 2_700, apart: 2);
        Answer(latency: 10, apart: 12);

        Assert.InRange(Interval, 0.5, 2);
    }

    [Fact]
    public void An_answer_that_is_lost_ends_it()
    {
        Idle();
        for (var i = 0; i < 4; i++)
            Answer(latency: 1_010);
        Assert.Equal(800, Interval, Tick);
        _law.RequestAnswered(LawDriver.Request(100, 1_000, 40, answeredAt: _now += 2_000, outcome: StoreRequestOutcome.Unknown));

        Assert.Equal(400, Interval, Tick); // it begins anew
    }

    [Theory]
    [InlineData(400, true)]
    [InlineData(90, false)] // near the longest interval there is nothing to bound
    public void All_look_at_once_what_the_store_keeps_up_with(double longestInterval, bool expected)
    {
        const double Time = 24_576; // a multiple of 4,096 ms, four lengths of a trial, and not of 16,384
        var law = new DelayLaw(new() { MaxIntervalMilliseconds = longestInterval });
        for (var now = 10.0; now < Time - 2_400; now += 10)
            Take(now, latency: 10);
        for (var now = Time - 2_200; now < Time; now += 210) // rounds of 100: an interval of 50 and more
            Take(now, latency: 210);

        law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(Time), TimeSpan.FromMilliseconds(100), ApplicationLimited: false, Keys: 10));

        Assert.Equal(expected, law.Interval == TimeSpan.Zero);

        void Take(double now, double latency)
            => law.RequestAnswered(LawDriver.Request(100, latency, interval: 100, answeredAt: now) with { Operations = 10 });
    }

    // Back at the shortest interval, 10/16: two thirds of 24 may be under way.
    private void Idle()
    {
        for (var i = 0; i < 200; i++)
            Answer(latency: 10, apart: 2);
        Assert.Equal(0.625, Interval, Tick);
    }

    private void Answer(double latency, double? apart = null, double passed = 40, bool applicationLimited = false)
        => _law.RequestAnswered(LawDriver.Request(100, latency, passed, answeredAt: _now += apart ?? latency, applicationLimited));
}

using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What the default law does about a queue that runs away, where nothing swings; and about a pause, which looks like one. Intervals are known to a tick, 0.0001 ms.</summary>
public sealed class DelayLawRunawayTests
{
    private const double Tick = 0.0002;

    private readonly DelayLaw _law = new(new() { Swing = 0 });
    private double _now;

    private double Interval => _law.Interval.TotalMilliseconds;

    [Fact]
    public void A_queue_deeper_than_four_intervals_and_idle_latencies_takes_a_large_step()
    {
        Idle(passed: 0.625);

        Late(count: 2, passed: 0.625); // a late answer or two are none
        Assert.Equal(0.625, Interval, Tick);

        Late(count: 1, passed: 0.625);

        Assert.Equal(0.8437, Interval, Tick); // 0.625 x e^0.3: 50 > 4 x 10.625
    }

    [Fact]
    public void And_that_from_an_interval_which_departures_far_apart_feel()
    {
        Idle(passed: 40);

        Late(count: 3, passed: 40);

        Assert.Equal(14.9182, Interval, Tick); // 40/4 x e^0.4: the interval held it
    }

    [Fact]
    public void But_not_where_what_was_under_way_with_little_to_send_is_late_together()
    {
        Idle(passed: 40);

        Late(count: 2, passed: 40);
        Unhurried(latency: 60, apart: 2);
        Assert.Equal(0.8437, Interval, Tick); // 0.625 x e^0.3: the store may have paused
        Unhurried(latency: 59.9, apart: 59.8);
        Assert.Equal(1.1389, Interval, Tick); // it left just before the last one was answered

        Unhurried(latency: 60, apart: 60);
        Assert.Equal(13.4986, Interval, Tick); // 40/4 x e^0.3: it left since
    }

    [Fact]
    public void Nor_does_a_pause_long_ago_tell_of_another()
    {
        Idle(passed: 40);
        Late(count: 3, passed: 40);
        Idle(passed: 40);

        for (var i = 0; i < 3; i++)
            Unhurried(latency: 60, apart: 2);

        Assert.Equal(0.8437, Interval, Tick);
    }

    [Fact]
    public void One_pause_does_not_set_departures_far_apart()
    {
        Idle(passed: 1);

        Late(count: 3, passed: 1);
        Unhurried(latency: 60, apart: 60, passed: 1000);

        Assert.Equal(1.1389, Interval, Tick); // 0.625 x e^0.6: departures are 1.25 apart
    }

    // Back at the shortest interval, 10/16: two thirds of 24 may be under way.
    private void Idle(double passed)
    {
        Answers(count: 200, latency: 10, passed);
        Assert.Equal(0.625, Interval, Tick);
    }

    private void Late(int count, double passed) => Answers(count, latency: 60, passed);

    private void Answers(int count, double latency, double passed)
    {
        for (var i = 0; i < count; i++)
            _law.RequestAnswered(LawDriver.Request(100, latency, passed, answeredAt: _now += 2));
    }

    // The answer to a batch that left as soon as there was something to send.
    private void Unhurried(double latency, double apart, double passed = 40)
        => _law.RequestAnswered(LawDriver.Request(100, latency, passed, answeredAt: _now += apart, applicationLimited: true));
}

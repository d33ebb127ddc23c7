using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What a lane does about a queue that is far longer than its interval.</summary>
public sealed class BacklogTests
{
    private Backlog _backlog = new();

    [Fact]
    public void Who_met_a_queue_leaves_later_by_twice_as_much_as_the_answer_came_late()
    {
        Late(now: 1_000, latency: 600);
        Late(now: 1_500, latency: 310);

        Assert.True(_backlog.IsThere);
        Assert.Equal(100 + (2 * (300 - 25)), _backlog.Interval); // a quarter of the interval is no matter
    }

    [Fact]
    public void What_left_before_the_first_late_answer_may_have_met_a_pause_that_is_over()
    {
        Late(now: 1_000, latency: 600);
        Late(now: 1_100, latency: 600);

        Assert.True(_backlog.IsThere);
        Assert.Equal(0, _backlog.Interval);
    }

    [Fact]
    public void An_answer_in_time_waits_for_nothing_though_those_before_were_late()
    {
        Late(now: 1_000, latency: 600);
        Add(now: 1_500, latency: 12, typicalDelay: 500);

        Assert.True(_backlog.IsThere);
        Assert.Equal(0, _backlog.Interval);
    }

    [Theory]
    [InlineData(25, 1, 1, true)] // a quarter of the interval
    [InlineData(30, 10, 1, true)] // three times the queue aimed at
    [InlineData(40, 10, 20, true)] // two idle latencies
    [InlineData(500, 10, 1, false)] // the mean is not far above it
    public void What_the_interval_answers_to_is_none(double typicalDelay, double target, double idle, bool isFar)
    {
        _backlog.Add(now: 1_000, sentAt: 0, delay: 500, typicalDelay, target, idle, isFar, interval: 100, longestInterval: 400);

        Assert.False(_backlog.IsThere);
    }

    [Fact]
    public void Nor_is_one_late_answer()
    {
        Add(now: 1_000, latency: 600, typicalDelay: 0);

        Assert.False(_backlog.IsThere);
    }

    [Fact]
    public void Nor_what_a_timer_could_not_wait_for()
    {
        for (var now = 10; now < 100; now += 10)
            _backlog.Add(now, sentAt: now - 1, delay: 0.5, typicalDelay: 0.5, target: 0.01, idle: 0.01, isFar: true, interval: 0.1, longestInterval: 400);

        Assert.False(_backlog.IsThere);
    }

    [Fact]
    public void It_is_over_when_most_answers_are_in_time()
    {
        Late(now: 1_000, latency: 600);
        Late(now: 1_500, latency: 400);
        Add(now: 2_000, latency: 400, typicalDelay: 20);

        Assert.False(_backlog.IsThere);
        Assert.Equal(0, _backlog.Interval);
    }

    [Fact]
    public void Nobody_waits_for_more_than_two_of_the_longest_intervals()
    {
        Late(now: 1_000, latency: 600);
        Late(now: 61_000, latency: 60_000);

        Assert.Equal(800, _backlog.Interval);
    }

    [Fact]
    public void After_a_third_of_a_second_it_stands_and_for_half_a_second_after_the_last_late_answer()
    {
        Late(now: 1_000, latency: 100);
        Late(now: 1_299, latency: 100);
        Assert.False(_backlog.StandsAt(1_299));

        Late(now: 1_300, latency: 100);
        Add(now: 1_400, latency: 12, typicalDelay: 2);

        Assert.True(_backlog.StandsAt(1_799));
        Assert.False(_backlog.StandsAt(1_800));
    }

    // Of an idle latency of 10, among others as late.
    private void Late(double now, double latency) => Add(now, latency, typicalDelay: latency - 10);

    private void Add(double now, double latency, double typicalDelay)
        => _backlog.Add(now, sentAt: now - latency, delay: latency - 10, typicalDelay, target: 5, idle: 10, isFar: true, interval: 100, longestInterval: 400);
}

using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What is taken for a queue that runs away, and not for a pause. Interval and idle latency are 10 ms together throughout.</summary>
public sealed class RunawayTests
{
    private Runaway _runaway = new();

    [Theory]
    [InlineData(40, false)]
    [InlineData(41, true)] // more than four times 10
    [InlineData(double.NaN, false)]
    public void It_takes_a_delay_of_more_than_four_intervals_and_idle_latencies(double delay, bool expected)
    {
        Shows(sentAt: 0, now: 50, delay);

        Assert.Equal(expected, Shows(sentAt: 50, now: 100, delay));
    }

    [Fact]
    public void What_was_under_way_when_the_store_paused_is_none()
    {
        // One left each ten milliseconds, all are answered from 200 on, each millisecond one.
        for (var i = 0; i < 10; i++)
            Assert.False(Shows(sentAt: 10 * i, now: 200 + i));
    }

    [Fact]
    public void What_left_since_the_first_of_it_was_answered_is()
    {
        Shows(sentAt: 0, now: 200);

        Assert.False(Shows(sentAt: 199, now: 300));
        Assert.True(Shows(sentAt: 200, now: 300));
    }

    [Fact]
    public void So_is_what_took_longer_than_that()
    {
        Shows(sentAt: 0, now: 200);

        Assert.False(Shows(sentAt: 10, now: 210));
        Assert.True(Shows(sentAt: 20, now: 221)); // the queue still grows
    }

    [Fact]
    public void A_pause_after_another_begins_anew()
    {
        Shows(sentAt: 0, now: 200);
        Shows(sentAt: 210, now: 220, delay: 1);

        Assert.False(Shows(sentAt: 1_000, now: 1_300));
    }

    private bool Shows(double sentAt, double now, double delay = 100) => _runaway.Shows(now, sentAt, latency: now - sentAt, delay, usual: 10);
}

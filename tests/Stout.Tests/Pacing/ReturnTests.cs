using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>After a pause the interval comes back by halves.</summary>
public sealed class ReturnTests
{
    private Return _return = new();
    private double _now;

    [Fact]
    public void Without_a_large_step_there_is_nothing_to_return_from()
        => Assert.False(Halves(excess: -1));

    [Fact]
    public void It_waits_for_the_queue_to_be_gone_and_ends_when_one_is_back()
    {
        _return.Raised();
        Assert.Equal([false, false, true, true], [Halves(excess: 0.5), Halves(excess: 0), Halves(excess: -0.1), Halves(excess: -0.9)]);
        Assert.Equal([false, false], [Halves(excess: 0.1), Halves(excess: -0.9)]);

        _return.Raised();
        Assert.True(Halves(excess: -0.1));
    }

    [Fact]
    public void It_halves_once_for_what_was_under_way_together()
    {
        _return.Raised();
        Assert.True(_return.Halves(now: 10, sentAt: 0, excess: -1, latencies: 100));
        Assert.False(_return.Halves(now: 11, sentAt: 9, excess: -1, latencies: 100));
        Assert.True(_return.Halves(now: 20, sentAt: 10, excess: -1, latencies: 100));
    }

    [Fact]
    public void Near_the_latency_ordinary_steps_do()
    {
        _return.Raised();
        Assert.Equal([true, false], [Halves(excess: -1, latencies: 4.1), Halves(excess: -1, latencies: 4)]);
    }

    private bool Halves(double excess, double latencies = 100)
    {
        _now += 10;
        return _return.Halves(_now, sentAt: _now - 5, excess, latencies);
    }
}

using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>The queue that is worth having, over the law's factor.</summary>
public sealed class TargetQueueTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(0.5)]
    [InlineData(1.0 / 3)]
    public void Request_with_much_of_a_fixed_part_is_worth_the_root_of_latency_and_interval(double fixedShare)
        => Assert.Equal(12, TargetQueue.Of(idle: 4, interval: 36, fixedShare), 9);

    [Theory]
    [InlineData(1.0 / 12, 24)]
    [InlineData(1.0 / 48, 48)]
    public void Request_that_is_mostly_keys_is_worth_more(double fixedShare, double expected) => Assert.Equal(expected, TargetQueue.Of(idle: 4, interval: 36, fixedShare), 9);

    // What brings back an interval that is far too long. Latency and what looks like a queue grow with the batch, and so with the interval.
    [Fact]
    public void Where_all_of_the_latency_grows_with_the_interval_the_queue_aimed_at_grows_faster()
    {
        const double One = 0.5;
        double[] intervals = [40, 80, 160, 320];
        var shares = intervals.Select(interval => TargetQueue.Of(interval / 4, interval, One / (interval / 4)) / interval).ToArray();

        Assert.Equal(shares.Order(), shares);
        Assert.InRange(shares[^1] / shares[0], 2.8, 2.9); // the root of eight
    }
}

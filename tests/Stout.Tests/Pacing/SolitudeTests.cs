using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>How long an interval is of use to a lane that has the store to itself.</summary>
public sealed class SolitudeTests
{
    private readonly Solitude _solitude = new();
    private double _now;

    [Fact]
    public void Before_anything_is_known_any_interval_may_be_of_use()
        => Assert.Equal(double.PositiveInfinity, _solitude.LongestInterval(idle: 10));

    [Fact]
    public void Alone_none_is_that_is_longer_than_the_mean_latency_of_what_left_back_to_back()
    {
        Add(latency: 10, interval: 10);
        Assert.Equal(10, _solitude.LongestInterval(idle: 10));

        Add(latency: 2, interval: 9); // 10 + (2 - 10) / 8
        Assert.Equal(9, _solitude.LongestInterval(idle: 10));
    }

    [Fact]
    public void What_left_at_a_longer_interval_than_the_mean_latency_says_nothing()
    {
        Add(latency: 10, interval: 1);
        Add(latency: 2, interval: 9.1);

        Assert.Equal(10, _solitude.LongestInterval(idle: 10));
    }

    [Theory]
    [InlineData(10, 15)]
    [InlineData(9.9, double.PositiveInfinity)]
    public void With_latencies_of_more_than_one_and_a_half_idle_ones_it_is_not_alone(double idle, double longest)
    {
        Add(latency: 15, interval: 1);

        Assert.Equal(longest, _solitude.LongestInterval(idle));
    }

    [Fact]
    public void A_pause_of_the_store_counts_as_twice_the_mean()
    {
        Add(latency: 8, interval: 9);
        Add(latency: 5000, interval: 9); // 8 + (16 - 8) / 8

        Assert.Equal(9, _solitude.LongestInterval(idle: 10));
    }

    [Fact]
    public void What_was_three_seconds_ago_is_forgotten()
    {
        Add(latency: 10, interval: 1);
        _now += 2500;
        Add(latency: 10, interval: 11);
        Assert.Equal(10, _solitude.LongestInterval(idle: 10));

        _now += 1000;
        Add(latency: 10, interval: 11);
        Assert.Equal(double.PositiveInfinity, _solitude.LongestInterval(idle: 10));
    }

    [Fact]
    public void What_is_forgotten_at_once_leaves_nothing()
    {
        Add(latency: 10, interval: 1);
        _solitude.Forget();
        Assert.Equal(double.PositiveInfinity, _solitude.LongestInterval(idle: 10));

        Add(latency: 14, interval: 1);
        Assert.Equal(14, _solitude.LongestInterval(idle: 10));
    }

    private void Add(double latency, double interval) => _solitude.Add(_now += 1, latency, interval);
}

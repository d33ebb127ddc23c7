using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What the default law takes for the latency of a store without a queue.</summary>
public sealed class IdleLatencyTests
{
    private readonly IdleLatency _idle = new();
    private double _now;

    [Fact]
    public void A_lowest_latency_is_forgotten_after_its_span()
    {
        var lowest = new RecentMinimum(spanMilliseconds: 8000);
        lowest.Add(now: 0, latency: 5, size: 1, slope: 0);
        lowest.Add(now: 7000, latency: 9, size: 1, slope: 0);
        Assert.Equal(5, lowest.At(size: 1, slope: 0));

        lowest.Forget(now: 16_000);
        Assert.Equal(double.PositiveInfinity, lowest.At(size: 1, slope: 0));
    }

    [Fact]
    public void A_lowest_latency_is_the_lowest_for_its_size()
    {
        var lowest = new RecentMinimum(spanMilliseconds: 8000);
        lowest.Add(now: 0, latency: 5, size: 1, slope: 1);
        lowest.Add(now: 1, latency: 12, size: 10, slope: 1);

        Assert.Equal(22, lowest.At(size: 20, slope: 1)); // 12 + 10, less than 5 + 19
        Assert.Equal(3, lowest.At(size: 1, slope: 1)); // 12 - 9
    }

    [Fact]
    public void The_price_of_a_key_is_learned_from_sizes_that_vary()
    {
        var cost = new SizeCost(30_000);
        for (var i = 0; i < 2000; i++)
        {
            var size = 1 + (i * 7 % 20);
            cost.Add(now: 5 * i, latency: 2 + (0.5 * size), size);
        }

        Assert.InRange(cost.Slope, 0.45, 0.55);
    }

    [Fact]
    public void The_price_of_a_key_is_never_more_than_the_cheapest_suggests()
    {
        var cost = new SizeCost(30_000);
        for (var i = 0; i < 2000; i++)
            cost.Add(now: 5 * i, latency: i % 2 == 0 ? 1 : 100, size: i % 2 == 0 ? 2 : 4);

        Assert.Equal(0.6, cost.Slope, 0.001); // 1.2 times 1/2
    }

    [Fact]
    public void What_always_varies_is_no_queue()
    {
        // A log flush of 8 ms: a request waits for the rest of one and for one of its own.
        for (var i = 0; i < 2000; i++)
            Add(8 + (i * 3 % 9));

        Assert.InRange(_idle.OfMeanSize, 10, 12);
    }

    [Fact]
    public void But_not_more_than_twice_the_lowest()
    {
        for (var i = 0; i < 2000; i++)
            Add(i % 10 == 0 ? 3 : 30);

        Assert.Equal(6, _idle.OfMeanSize, 0.001);
    }

    [Fact]
    public void A_queue_that_lasts_longer_than_the_memory_of_means_stays_visible_by_the_lowest_request()
    {
        for (var i = 0; i < 200; i++)
            Add(2);
        for (var i = 0; i < 3000; i++)
            Add(50);

        Assert.Equal(4, _idle.OfMeanSize, 0.001); // 15 s later; twice 2
    }

    [Fact]
    public void A_store_that_has_become_slower_is_known_when_the_memory_of_single_requests_has_passed()
    {
        for (var i = 0; i < 200; i++)
            Add(2);
        for (var i = 0; i < 8000; i++)
            Add(50);

        Assert.Equal(50, _idle.OfMeanSize, 0.001);
    }

    [Fact]
    public void A_store_that_has_become_faster_is_known_at_once()
    {
        for (var i = 0; i < 2000; i++)
            Add(50);
        Add(2);

        Assert.Equal(4, _idle.OfMeanSize, 0.001);
    }

    private void Add(double latency) => _idle.Add(_now += 5, latency, size: 1);
}

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
    public void The_lowest_latency_of_all_sizes_comes_with_its_size()
    {
        var lowest = new RecentMinimum(spanMilliseconds: 8000);
        Assert.Equal((double.PositiveInfinity, 0), lowest.Lowest);

        lowest.Add(now: 0, latency: 9, size: 3, slope: 0);
        lowest.Add(now: 2000, latency: 5, size: 7, slope: 0);
        lowest.Add(now: 4000, latency: 6, size: 1, slope: 0);
        Assert.Equal((5, 7), lowest.Lowest);

        lowest.Clear();
        Assert.Equal((double.PositiveInfinity, 0), lowest.Lowest);
    }

    [Fact]
    public void The_price_of_a_key_is_the_slope_from_the_quickest_request_to_the_cheapest_per_key()
    {
        var cost = new SizeCost(30_000);
        for (var i = 0; i < 2000; i++)
        {
            var size = 1 + (i * 7 % 20);
            cost.Add(now: 5 * i, latency: 2 + (0.5 * size), size);
        }

        Assert.Equal(0.65, cost.Slope, 0.001); // 1.3 times what the least of many shows
        Assert.Equal(2.5, cost.Quickest, 0.001);
    }

    [Fact]
    public void One_much_larger_batch_teaches_the_price_of_a_key_at_once()
    {
        var cost = new SizeCost(30_000);
        cost.Add(now: 0, latency: 2.5, size: 1);
        Assert.Equal(0, cost.Slope);

        cost.Add(now: 5, latency: 502, size: 1000);
        Assert.Equal(0.65, cost.Slope, 0.001);
    }

    [Fact]
    public void A_pause_of_the_store_does_not_touch_the_price_of_a_key()
    {
        var cost = new SizeCost(30_000);
        cost.Add(now: 0, latency: 2.5, size: 1);
        cost.Add(now: 5, latency: 12, size: 20);
        cost.Add(now: 10, latency: 2700, size: 15);

        Assert.Equal(0.65, cost.Slope, 0.001);
        Assert.Equal(1 + (19.0 / 16) + ((14 - (19.0 / 16)) / 16), cost.MeanSize, 0.001);
    }

    [Fact]
    public void What_was_learned_can_be_forgotten()
    {
        var cost = new SizeCost(30_000);
        cost.Add(now: 0, latency: 2.5, size: 1);
        cost.Add(now: 5, latency: 12, size: 20);
        Add(10);

        cost.Forget();
        cost.Add(now: 10, latency: 100, size: 20);
        Assert.Equal((0, 100), (cost.Slope, cost.Quickest));
        _idle.Forget(_now);
        Add(50);
        Assert.Equal(90, _idle.Of(_idle.MeanSize), 0.001);
    }

    [Fact]
    public void A_larger_request_takes_what_its_keys_cost()
    {
        for (var i = 0; i < 2000; i++)
        {
            var size = 1 + (i * 7 % 20);
            _idle.Add(_now += 5, latency: 2 + (0.5 * size), size);
        }

        Assert.Equal(2.5, _idle.Of(1), 0.001); // the quickest of any size
        Assert.InRange(_idle.Of(40), 25.9, 26.6); // 0.65 each, from means of some five requests: 2 - 0.15 x 12 without keys
    }

    [Fact]
    public void What_always_varies_is_no_queue()
    {
        // A log flush of 8 ms: a request waits for the rest of one and for one of its own.
        for (var i = 0; i < 2000; i++)
            Add(8 + (i * 3 % 9));

        Assert.InRange(_idle.Of(_idle.MeanSize), 10, 12);
    }

    // Had a mean less than that, or more, the lowest were 9, or 9.5.
    [Fact]
    public void A_mean_is_of_three_latencies_time()
    {
        for (var i = 0; i < 300; i++)
            _idle.Add(_now += 11, latency: 8 + (2 * (i % 3)), size: 1);

        Assert.Equal(10, _idle.Of(1), 0.001);
    }

    [Fact]
    public void But_not_by_more_than_four_fifths_of_the_lowest()
    {
        for (var i = 0; i < 2000; i++)
            Add(i % 10 == 0 ? 3 : 30);

        Assert.Equal(5.4, _idle.Of(_idle.MeanSize), 0.001);
    }

    [Fact]
    public void A_queue_that_lasts_longer_than_the_memory_of_means_stays_visible_by_the_lowest_request()
    {
        for (var i = 0; i < 200; i++)
            Add(2);
        for (var i = 0; i < 3000; i++)
            Add(50);

        Assert.Equal(3.6, _idle.Of(_idle.MeanSize), 0.001); // 15 s later; 1.8 times 2
    }

    [Fact]
    public void A_store_that_has_become_slower_is_known_when_the_memory_of_single_requests_has_passed()
    {
        for (var i = 0; i < 200; i++)
            Add(2);
        for (var i = 0; i < 140_000; i++)
            Add(50);

        Assert.Equal(50, _idle.Of(_idle.MeanSize), 0.001);
    }

    [Fact]
    public void A_store_that_has_become_faster_is_known_at_once()
    {
        for (var i = 0; i < 2000; i++)
            Add(50);
        Add(2);

        Assert.Equal(3.6, _idle.Of(_idle.MeanSize), 0.001);
    }

    [Fact]
    public void What_an_idle_store_takes_beyond_the_quickest_is_learned_where_it_is_known_to_be_idle()
    {
        AddIdle(2, 8, 8);

        // 1 + 0.7 x (the geometric mean of 1, 4 and 4, less 1); the mean of the last two is bounded by 1.8 times the quickest.
        Assert.Equal(2 * (1 + (0.7 * (Math.Cbrt(16) - 1))), _idle.Of(1), 0.001);
    }

    [Fact]
    public void And_fades_in_some_seconds()
    {
        AddIdle(2, 6, 6, 6, 6);
        var known = _idle.Of(1);
        for (var i = 0; i < 1000; i++)
            Add(6);
        var later = _idle.Of(1);
        for (var i = 0; i < 10_000; i++)
            Add(6);

        Assert.InRange(later, 3.6, known - 0.1); // 5 s later
        Assert.Equal(3.6, _idle.Of(1), 0.001);
    }

    [Fact]
    public void One_answer_is_too_few_for_it_and_no_answer_counts_for_more_than_four_times_the_quickest()
    {
        AddIdle(6);
        Add(2);
        Assert.Equal(3.6, _idle.Of(1), 0.001);

        AddIdle(600, 600, 600);
        Assert.Equal(8, _idle.Of(1), 0.001);
    }

    [Fact]
    public void A_request_usually_takes_half_as_long_again_as_the_least_at_most_where_keys_cost_nothing()
    {
        AddIdle(2, 8, 8);

        Assert.InRange(_idle.Of(1), 3.1, 6);
        Assert.Equal(3, _idle.Usual(1, oneKey: 0), 0.001);
    }

    // The price that 1,000 keys have shown is a mean and their latency a least: taken off for 900 of them, it leaves less than nothing for the 100.
    [Fact]
    public void And_no_less_than_one_key_and_the_price_of_all_however_large_the_requests_were_that_it_was_learned_from()
    {
        _idle.Add(_now += 5, latency: 2, size: 1);
        _idle.Add(_now += 5_000, latency: 1_000, size: 1_000);

        Assert.InRange(_idle.Of(100), 0, 95);
        Assert.Equal(2 + (100 * _idle.PerKey), _idle.Usual(100, oneKey: 0), 0.001);
        Assert.InRange(_idle.Usual(100, oneKey: 0), 125, 135);
    }

    // Whoever comes last before a log that waits for company is answered at once; who is alone waits as long as the log does.
    [Fact]
    public void Nor_less_than_one_key_takes_alone()
    {
        AddIdle(2, 9, 9);
        Assert.Equal(3, _idle.Usual(1, oneKey: 2.5), 0.001);
        Assert.Equal(9.5, _idle.Usual(1, oneKey: 9.5), 0.001);

        _idle.Add(_now += 5_000, latency: 4, size: 10);
        Assert.Equal(9.5 + (20 * _idle.PerKey), _idle.Usual(20, oneKey: 9.5), 0.001);
        Assert.True(_idle.PerKey > 0);
    }

    private void AddIdle(params double[] latencies)
    {
        foreach (var latency in latencies)
            _idle.Add(_now += 5, latency, size: 1, isIdle: true);
    }

    private void Add(double latency) => _idle.Add(_now += 5, latency, size: 1);
}

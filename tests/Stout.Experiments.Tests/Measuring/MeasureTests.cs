using Stout.Experiments.Measuring;

namespace Stout.Experiments.Tests.Measuring;

public sealed class MeasureTests
{
    private static readonly TimeSpan Quarter = TimeSpan.FromMilliseconds(250);

    [Fact]
    public void Jains_index_is_one_for_equals_and_one_nth_if_one_has_everything()
    {
        Assert.Equal(1, Fairness.Jain([3, 3, 3]), 12);
        Assert.Equal(0.25, Fairness.Jain([8, 0, 0, 0]), 12);
        Assert.Equal(2, Fairness.MaxOverMin([1, 2, 1.5]), 12);
    }

    [Fact]
    public void A_counts_mean_is_that_over_time()
    {
        var count = new TimedCount();
        count.Change(2, Seconds(1));
        count.Change(-1, Seconds(3));
        Assert.Equal((0 + 2 + 2 + 1) / 4.0, count.Mean(Seconds(4)), 12);
        count.Restart(Seconds(4));
        Assert.Equal(1, count.Mean(Seconds(6)), 12);
    }

    [Fact]
    public void A_series_gives_mean_and_largest_of_a_span()
    {
        var series = new LatencySeries(Quarter);
        series.Add(Seconds(0.1), TimeSpan.FromMilliseconds(1));
        series.Add(Seconds(0.9), TimeSpan.FromMilliseconds(5));
        series.Add(Seconds(2), TimeSpan.FromMilliseconds(100));
        Assert.Equal(3, series.Mean(Seconds(0), Seconds(1)), 12);
        Assert.Equal(5, series.Max(Seconds(0), Seconds(1)), 12);
        Assert.Equal(100, series.Mean(Seconds(2), Seconds(3)), 12);
        Assert.True(double.IsNaN(series.Mean(Seconds(1), Seconds(2))));
    }

    [Fact]
    public void What_is_at_its_new_mean_from_the_change_on_has_settled_at_once()
    {
        Assert.Equal(TimeSpan.Zero, Settling.Time(Steps((10, 50), (20, 5)), Seconds(10), Seconds(30)));
    }

    [Fact]
    public void What_takes_four_seconds_to_its_new_mean_has_settled_after_four()
    {
        Assert.Equal(Seconds(4), Settling.Time(Steps((10, 50), (4, 20), (26, 5)), Seconds(10), Seconds(40)));
    }

    [Fact]
    public void What_single_runs_scatter_by_has_settled_in_their_mean_and_what_all_do_has_not()
    {
        LatencySeries[] scattered = [Run(50, 5), Run(50, 5.8, 4.2), Run(50, 4.2, 5.8)];
        Assert.Equal([Seconds(0), null, null], scattered.Select(run => Settling.Time(run, Seconds(10), Seconds(40))));
        Assert.Equal(TimeSpan.Zero, Settling.TimeOfMean(scattered, Seconds(10), Seconds(40)));

        // Each run has the same weight in the mean, independently of its own final latency.
        LatencySeries[] apart = [Steps((10, 50), (8, 10), (22, 5)), Steps((10, 50), (4, 2_000), (26, 500))];
        Assert.Equal(Seconds(8), Settling.TimeOfMean(apart, Seconds(10), Seconds(40)));
        Assert.Null(Settling.TimeOfMean([Run(50, 10, 20)], Seconds(10), Seconds(40)));

        static LatencySeries Run(double before, params double[] after) => Steps([(10, before), .. Enumerable.Range(0, 15).Select(i => (2, after[i % after.Length]))]);
    }

    [Fact]
    public void On_a_real_store_a_pause_of_its_own_does_not_unsettle()
    {
        var pausing = Steps((10, 50), (30, 5));
        foreach (var second in new[] { 7, 12, 17, 23, 33 })
            pausing.Add(Seconds(second + 0.1), TimeSpan.FromMilliseconds(10_000));

        Assert.Null(Settling.Time(pausing, Seconds(10), Seconds(40)));
        Assert.Equal(TimeSpan.Zero, Settling.Time(pausing, Seconds(10), Seconds(40), isReal: true));
        Assert.Equal(Seconds(10), Recovery.Time(Steps((10, 5), (10, 50), (20, 5)), Seconds(10), Seconds(10), Seconds(40)));
        pausing = Steps((10, 5), (10, 50), (20, 5));
        pausing.Add(Seconds(23.1), TimeSpan.FromMilliseconds(10_000));
        Assert.Equal(Seconds(9.5), Recovery.Time(pausing, Seconds(10), Seconds(10), Seconds(40), isReal: true)); // Two of the quarters of a second are enough.
    }

    [Fact]
    public void What_swings_has_not_settled()
    {
        var swinging = Steps([.. Enumerable.Range(0, 20).Select(i => (2, i % 2 == 0 ? 10.0 : 20.0))]);
        Assert.Null(Settling.Time(swinging, Seconds(10), Seconds(40)));
    }

    [Fact]
    public void A_queue_that_fluctuates_does_not_grow_and_one_that_gains_ten_a_second_does()
    {
        var random = new Random(1);
        var fluctuating = Enumerable.Range(0, 240).Select(_ => 500 + (200 * random.NextDouble())).ToList();
        Assert.False(GrowingQueue.Grows(fluctuating, Seconds(60), 6_000));
        Assert.True(GrowingQueue.Grows([.. fluctuating.Select((waiting, i) => waiting + (i * 10 / 4.0))], Seconds(60), 6_000));
    }

    [Fact]
    public void A_queue_that_stands_at_half_a_second_counts_as_growing() =>
        Assert.True(GrowingQueue.Grows([.. Enumerable.Repeat(3_000.0, 240)], Seconds(60), 6_000));

    [Fact]
    public void Waits_in_queues_are_those_of_the_textbook()
    {
        Assert.Equal(2, QueueingTheory.MeanWaitOfMD1(0.8, 1), 12);
        Assert.Equal(0.7 / 0.3, QueueingTheory.MeanWaitOfMMc(1, 0.7, 1), 12);
        // With two servers the mean wait is load² / (1 − load²) service times.
        Assert.Equal(0.64 / 0.36, QueueingTheory.MeanWaitOfMMc(2, 0.8, 1), 12);
    }

    private static LatencySeries Steps(params (int Seconds, double Milliseconds)[] steps)
    {
        var series = new LatencySeries(Quarter);
        var at = TimeSpan.Zero;
        foreach (var (seconds, milliseconds) in steps)
        {
            for (var end = at + Seconds(seconds); at < end; at += Quarter)
                series.Add(at, TimeSpan.FromMilliseconds(milliseconds));
        }

        return series;
    }

    private static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);
}

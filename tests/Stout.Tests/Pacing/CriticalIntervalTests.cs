using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>When lanes try what the store takes if all send back to back, and what they conclude.</summary>
public sealed class CriticalIntervalTests : CriticalIntervalDriver
{
    [Fact]
    public void Before_a_trial_any_interval_may_be_of_use()
    {
        Assert.Equal(double.PositiveInfinity, Critical.Value);
        Assert.Equal(double.PositiveInfinity, Critical.LongestInterval);
        Assert.Equal(0, Critical.ShortestInterval);
        Assert.False(Critical.IsTriedAt(0));
        Assert.False(Critical.Disturbed(0));
    }

    [Theory]
    [InlineData(10, 64)]
    [InlineData(5, 32)]
    [InlineData(90, 512)]
    [InlineData(400, 1024)]
    public void A_trial_takes_some_six_intervals_from_its_boundary_and_a_second_at_most(double interval, double length)
    {
        Advance(Boundary, interval);

        Assert.True(Critical.IsTriedAt(Boundary));
        Assert.True(Critical.IsTriedAt(Boundary + length - 0.1));
        Assert.False(Critical.IsTriedAt(Boundary + length));
    }

    [Fact]
    public void It_takes_some_27_latencies_where_that_is_longer()
    {
        Take(latency: 9);
        Advance(Boundary, interval: 10);

        Assert.True(Critical.IsTriedAt(Boundary + 255.9));
        Assert.False(Critical.IsTriedAt(Boundary + 256));
    }

    [Fact]
    public void Once_the_critical_interval_is_known_a_trial_takes_six_of_it_whatever_the_interval_is()
    {
        Try(Boundary, gap: 20);
        Advance(Boundary + 2048, interval: 1);

        Assert.True(Critical.IsTriedAt(Boundary + 2048 + 127.9));
        Assert.False(Critical.IsTriedAt(Boundary + 2048 + 128));
    }

    [Theory]
    [InlineData(31, true)]
    [InlineData(33, false)]
    public void Who_comes_late_takes_part_as_long_as_half_of_it_is_left(double late, bool part)
    {
        Advance(Boundary + late, interval: 10);

        Assert.Equal(part, Critical.IsTriedAt(Boundary + late));
        Assert.False(Critical.IsTriedAt(Boundary + 64));
    }

    [Fact]
    public void Lanes_with_unlike_intervals_begin_together()
    {
        for (var interval = 0.6; interval < 400; interval *= 1.1)
        {
            var critical = new CriticalInterval(mostInFlight: 24);
            critical.Add(sentAt: 0, latency: 0.1, passed: 0.1, keys: 4);
            critical.Advance(Boundary, interval, leastInterval: 0, perKey: 1, mayTry: true);
            Assert.True(critical.IsTriedAt(Boundary));
        }
    }

    [Fact]
    public void Who_may_not_does_not()
    {
        Critical.Advance(Boundary, interval: 10, leastInterval: 0, perKey: 1, mayTry: false);

        Assert.False(Critical.IsTriedAt(Boundary));
    }

    [Theory]
    [InlineData(5.9, false)]
    [InlineData(6, true)]
    public void Who_has_several_requests_in_flight_does_not(double interval, bool tries)
    {
        Take(latency: 10);

        Advance(Boundary, interval);

        Assert.Equal(tries, Critical.IsTriedAt(Boundary));
    }

    [Theory]
    [InlineData(0.012, 1, true)]
    [InlineData(0.013, 1, false)] // with four keys a millisecond a request of its own would grow by more than a twentieth
    [InlineData(0.012, 1.6, false)] // and who waits for hardly anything has nothing to gain
    public void Unless_it_hardly_slows_it_down_and_there_is_something_to_gain(double perKey, double leastInterval, bool tries)
    {
        Take(latency: 10);

        Assert.Equal(tries, BeginsAt(Boundary, interval: 3, perKey, leastInterval));
    }

    [Theory]
    [InlineData(0.16, 10, false)]
    [InlineData(0.18, 10, true)]
    [InlineData(0.04, 1, false)] // a short interval gathers little, but the latency, which all have in common, says how long it could be
    [InlineData(0.45, 1, true)]
    public void Nor_does_who_has_hardly_anything_to_send(double rate, double interval, bool tries)
    {
        Offer(rate);

        Assert.Equal(tries, BeginsAt(Boundary, interval));
    }

    [Theory]
    [InlineData(0.28, false)]
    [InlineData(0.32, true)]
    public void After_the_first_seconds_it_takes_more(double rate, bool tries)
    {
        Advance(Boundary - 20_000, interval: 1);
        Offer(rate);

        Assert.Equal(tries, BeginsAt(Boundary));
    }

    [Theory]
    [InlineData(0.18, 10, 4, true)]
    [InlineData(0.16, 10, 4, false)]
    [InlineData(0.09, 19.5, 8, true)] // the lanes have become many more: none gathers in the old interval what it does while it waits for them
    public void But_what_is_known_is_looked_at_again_each_fourth_time_where_there_is_something_to_collect(double rate, double latency, int later, bool tries)
    {
        Try(Boundary, gap: 10);
        for (var i = 0; i < 1000; i++)
            Add(Boundary + 2000 + i, latency, idle: 1, passed: 1, keys: rate);

        for (var period = 1; period < later; period++)
            Assert.False(BeginsAt(Boundary + (period * 16_384), interval: 12));
        Assert.Equal(tries, BeginsAt(Boundary + (later * 16_384), interval: 12));
    }

    [Fact]
    public void Once_the_critical_interval_is_known_what_gathers_in_that_counts()
    {
        Offer(0.3);
        Try(Boundary, gap: 10);
        Offer(0.3);

        Assert.True(BeginsAt(Boundary + 2048, interval: 1));
    }

    [Theory]
    [InlineData(10, false)]
    [InlineData(22, true)] // a third of a trial of 64 ms is over
    public void It_sends_its_next_batch_in_its_time_and_then_back_to_back(double after, bool isBackToBack)
    {
        Advance(Boundary, interval: 10);
        Assert.Equal(isBackToBack, Critical.IsBackToBackAt(Boundary + after));

        Critical.Depart(Boundary + 5);
        Assert.True(Critical.IsBackToBackAt(Boundary + after));
        Assert.False(Critical.IsBackToBackAt(Boundary + 64));
    }

    [Fact]
    public void What_lies_between_batches_of_the_second_half_in_the_mean_is_the_critical_interval()
    {
        Advance(Boundary, interval: 10);
        Add((1, 100), (31, 100), (32, 20), (40, 22), (60, 27), (64, 100), (70, 100));
        Advance(Boundary + 64, interval: 10);

        Assert.Equal(23, Critical.Value);
    }

    [Theory]
    [InlineData(3, 12, 12)]
    [InlineData(15, 4, 15)]
    public void Whether_they_wait_for_answers_or_for_work(double latency, double passed, double critical)
    {
        Advance(Boundary, interval: 10);
        foreach (var after in new[] { 40, 50, 60 })
            Add(Boundary + after, latency, idle: 1, passed);
        Advance(Boundary + 64, interval: 10);

        Assert.Equal(critical, Critical.Value);
    }

    [Fact]
    public void One_answer_says_nothing()
    {
        Advance(Boundary, interval: 10);
        Add((40, 20));
        Advance(Boundary + 64, interval: 10);

        Assert.Equal(double.PositiveInfinity, Critical.Value);
    }

    [Fact]
    public void No_interval_is_of_use_that_is_longer_than_one_and_three_quarters_of_it()
    {
        Try(Boundary, gap: 20);

        Assert.Equal(35, Critical.LongestInterval);
    }

    [Fact]
    public void The_one_in_the_middle_of_three_trials_counts_and_the_shorter_of_two()
    {
        Take(latency: 2.5); // trials take 64 ms at least
        foreach (var (trial, gap, middle) in new[] { (0, 10, 10), (1, 12, 10), (2, 9, 10), (3, 8, 9), (4, 7, 8), (5, 6, 7) })
        {
            Try(Boundary + (trial * 16_384), gap);
            Assert.Equal(middle, Critical.Value);
        }
    }

    [Fact]
    public void But_no_more_than_1_3_times_the_shortest()
    {
        foreach (var (trial, gap, critical) in new[] { (0, 10, 10), (1, 40, 10), (2, 50, 13), (3, 60, 50) })
        {
            Try(Boundary + (trial * 16_384), gap);
            Assert.Equal(critical, Critical.Value, 9);
        }
    }

    [Fact]
    public void For_ten_seconds_trials_follow_soon_and_then_by_and_by()
    {
        for (var trial = 0; trial < 5; trial++)
        {
            Assert.True(BeginsAt(Boundary + (trial * 2048)));
            Try(Boundary + (trial * 2048), gap: 10);
        }

        Assert.Equal(10, Critical.Value);
        Assert.False(BeginsAt(Boundary + 10_240));
        Assert.False(BeginsAt(Boundary + 12_288));
        Assert.True(BeginsAt(Boundary + 16_384));
    }

    [Fact]
    public void Not_soon_where_the_lane_is_older_than_ten_seconds()
    {
        Critical.Advance(Boundary, interval: 10, leastInterval: 0, perKey: 1, mayTry: false);

        Assert.False(BeginsAt(Boundary + 10_240));
        Assert.True(BeginsAt(Boundary + 16_384));
    }

    [Fact]
    public void Unless_the_store_has_fallen_behind_and_then_once_in_as_long()
    {
        Critical.Advance(Boundary, interval: 10, leastInterval: 0, perKey: 1, mayTry: false);
        Assert.True(BeginsUrgently(Boundary + 10_240));

        Assert.False(BeginsUrgently(Boundary + 12_288));
        Assert.True(BeginsUrgently(Boundary + 16_384)); // its time
        Assert.False(BeginsUrgently(Boundary + 30_720));
        Assert.True(BeginsUrgently(Boundary + 32_768));

        bool BeginsUrgently(double time)
        {
            Critical.Advance(time, interval: 10, leastInterval: 0, perKey: 1, mayTry: true, isUrgent: true);
            return Critical.IsTriedAt(time);
        }
    }

    [Fact]
    public void None_begins_anew_because_it_found_that_the_next_ones_are_to_be_longer()
    {
        Try(Boundary, gap: 80);

        Assert.False(BeginsAt(Boundary + 129));
        Assert.True(BeginsAt(Boundary + 2048));
    }

    [Fact]
    public void They_are_no_more_than_a_64th_of_the_time()
    {
        Advance(Boundary - 10_000, interval: 80);

        Assert.False(BeginsAt(Boundary + 16_384, interval: 80)); // 512 ms long
        Assert.True(BeginsAt(Boundary + (2 * 16_384), interval: 80));
    }

    [Fact]
    public void What_met_the_queue_of_a_trial_was_disturbed_by_it()
    {
        Advance(Boundary, interval: 10);
        Assert.False(Critical.Disturbed(Boundary - 0.1));
        Assert.True(Critical.Disturbed(Boundary));
        Assert.True(Critical.Disturbed(Boundary + 127)); // how long the queue is, nobody knows yet
        Assert.False(Critical.Disturbed(Boundary + 128));

        Add((40, 20), (41, 20), (42, 20));
        Advance(Boundary + 64, interval: 10);
        Assert.True(Critical.Disturbed(Boundary + 83));
        Assert.False(Critical.Disturbed(Boundary + 84));
    }

    [Fact]
    public void However_long_requests_took_no_longer_than_the_trial_was()
    {
        Try(Boundary, gap: 5_000); // the store stood still

        Assert.True(Critical.Disturbed(Boundary + 127));
        Assert.False(Critical.Disturbed(Boundary + 128));
    }

    [Fact]
    public void One_pause_of_the_store_makes_no_long_trial()
    {
        Add(sentAt: 0, latency: 1, idle: 1, passed: 10);
        Add(sentAt: 10, latency: 10_000, idle: 1, passed: 10);
        Advance(Boundary, interval: 10);

        Assert.False(Critical.IsTriedAt(Boundary + 64));
    }

    [Fact]
    public void It_forgets_on_demand()
    {
        for (var trial = 0; trial < 3; trial++)
            TryBeside(Boundary + (trial * 2048), latency: 10, idle: 5);
        Add(Boundary + 5000, latency: 50, idle: 1, passed: 50);
        Critical.Forget();

        Assert.Equal(double.PositiveInfinity, Critical.LongestInterval);
        Assert.Equal(0, Critical.ShortestInterval);
        Assert.True(BeginsAt(Boundary + 6144, interval: 40)); // as soon as the first, though requests took 50

        Critical.Forget();
        Assert.False(Critical.IsTriedAt(Boundary + 6144));
    }

    [Fact]
    public void A_store_that_is_another_one_shows_what_it_keeps_up_with_by_one_trial_that_follows_soon()
    {
        Critical.Forget();
        Assert.True(BeginsAt(Boundary + 2048));
        TryAt(Boundary + 2048, interval: 10, answers: 2, latency: 10, idle: 10, passed: 10);

        Assert.Equal(10, Critical.Value);
        Assert.False(BeginsAt(Boundary + 4096));
        Assert.True(BeginsAt(Boundary + 16_384));
    }

    // Its length follows from the interval, which has grown far too long until the store was found out.
    [Fact]
    public void It_takes_two_intervals_and_those_after_it_six()
    {
        Critical.Forget();
        Assert.True(BeginsAt(Boundary + 2048, interval: 60));
        Assert.True(Critical.IsTriedAt(Boundary + 2048 + 127));
        Assert.False(Critical.IsTriedAt(Boundary + 2048 + 128));

        TryAt(Boundary + 4096, interval: 60, answers: 2, latency: 40, idle: 40, passed: 40);
        Assert.True(BeginsAt(Boundary + 16_384, interval: 60));
        Assert.True(Critical.IsTriedAt(Boundary + 16_384 + 255));
        Assert.False(Critical.IsTriedAt(Boundary + 16_384 + 256));
    }

    [Theory]
    [InlineData(2_000, true)]
    [InlineData(4_000, false)]
    public void Or_by_none_where_there_is_nothing_to_try_with_in_three_seconds(double before, bool tries)
    {
        Critical.Forget();
        Critical.Advance(Boundary + 2048 - before, interval: 10, leastInterval: 0, perKey: 1, mayTry: false);

        Assert.Equal(tries, BeginsAt(Boundary + 2048));
    }

    private void Try(double at, double gap)
    {
        Critical.Advance(at, interval: 10, leastInterval: 0, perKey: 1, mayTry: true);
        for (var after = 40; after < 42; after++)
            Add(at + after, gap, idle: gap, passed: gap);
        Critical.Advance(at + 128, interval: 10, leastInterval: 0, perKey: 1, mayTry: true);
    }
}

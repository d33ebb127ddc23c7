using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>When lanes try what the store takes if all send back to back, and what they conclude.</summary>
public sealed class CriticalIntervalTests
{
    // Where trials of every length may begin.
    private const double Boundary = 1024 * 16_384;

    private readonly CriticalInterval _critical = new(mostInFlight: 24);

    public CriticalIntervalTests() => Offer(rate: 4);

    [Fact]
    public void Before_a_trial_any_interval_may_be_of_use()
    {
        Assert.Equal(double.PositiveInfinity, _critical.Value);
        Assert.Equal(double.PositiveInfinity, _critical.LongestInterval);
        Assert.Equal(0, _critical.ShortestInterval);
        Assert.False(_critical.IsTriedAt(0));
        Assert.False(_critical.Disturbed(0));
    }

    [Theory]
    [InlineData(10, 64)]
    [InlineData(5, 32)]
    [InlineData(90, 512)]
    [InlineData(400, 1024)]
    public void A_trial_takes_some_six_intervals_from_its_boundary_and_a_second_at_most(double interval, double length)
    {
        Advance(Boundary, interval);

        Assert.True(_critical.IsTriedAt(Boundary));
        Assert.True(_critical.IsTriedAt(Boundary + length - 0.1));
        Assert.False(_critical.IsTriedAt(Boundary + length));
    }

    [Fact]
    public void It_takes_some_27_latencies_where_that_is_longer()
    {
        Take(latency: 9);
        Advance(Boundary, interval: 10);

        Assert.True(_critical.IsTriedAt(Boundary + 255.9));
        Assert.False(_critical.IsTriedAt(Boundary + 256));
    }

    [Fact]
    public void Once_the_critical_interval_is_known_a_trial_takes_six_of_it_whatever_the_interval_is()
    {
        Try(Boundary, gap: 20);
        Advance(Boundary + 2048, interval: 1);

        Assert.True(_critical.IsTriedAt(Boundary + 2048 + 127.9));
        Assert.False(_critical.IsTriedAt(Boundary + 2048 + 128));
    }

    [Theory]
    [InlineData(31, true)]
    [InlineData(33, false)]
    public void Who_comes_late_takes_part_as_long_as_half_of_it_is_left(double late, bool part)
    {
        Advance(Boundary + late, interval: 10);

        Assert.Equal(part, _critical.IsTriedAt(Boundary + late));
        Assert.False(_critical.IsTriedAt(Boundary + 64));
    }

    [Fact]
    public void Lanes_with_unlike_intervals_begin_together()
    {
        for (var interval = 0.6; interval < 400; interval *= 1.1)
        {
            var critical = new CriticalInterval(mostInFlight: 24);
            critical.Add(new WriteAnswer(0, 0.1, Passed: 0.1, Keys: 4, 0.1, 0.1));
            critical.Advance(Boundary, interval, leastInterval: 0, perKey: 1, mayTry: true);
            Assert.True(critical.IsTriedAt(Boundary));
        }
    }

    [Fact]
    public void Who_may_not_does_not()
    {
        _critical.Advance(Boundary, interval: 10, leastInterval: 0, perKey: 1, mayTry: false);

        Assert.False(_critical.IsTriedAt(Boundary));
    }

    [Theory]
    [InlineData(5.9, false)]
    [InlineData(6, true)]
    public void Who_has_several_requests_in_flight_does_not(double interval, bool tries)
    {
        Take(latency: 10);

        Advance(Boundary, interval);

        Assert.Equal(tries, _critical.IsTriedAt(Boundary));
    }

    [Theory]
    [InlineData(0.024, 1, true)]
    [InlineData(0.026, 1, false)] // with four keys a millisecond a request of its own would grow by more than a tenth
    [InlineData(0.024, 1.6, false)] // and who waits for hardly anything has nothing to gain
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
        Assert.Equal(isBackToBack, _critical.IsBackToBackAt(Boundary + after));

        _critical.Depart(Boundary + 5);
        Assert.True(_critical.IsBackToBackAt(Boundary + after));
        Assert.False(_critical.IsBackToBackAt(Boundary + 64));
    }

    [Fact]
    public void What_lies_between_batches_of_the_second_half_in_the_mean_is_the_critical_interval()
    {
        Advance(Boundary, interval: 10);
        Add((1, 100), (31, 100), (32, 20), (40, 22), (60, 27), (64, 100), (70, 100));
        Advance(Boundary + 64, interval: 10);

        Assert.Equal(23, _critical.Value);
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

        Assert.Equal(critical, _critical.Value);
    }

    [Fact]
    public void A_store_that_answers_two_each_as_quickly_as_one_is_tried_with_two_and_keeps_up_with_half_the_interval()
    {
        TryLong(Boundary, answers: 8);
        Assert.Equal((2, 1, 16), (_critical.Window, _critical.InFlight, _critical.Value));

        TryLong(Boundary + 4096, answers: 8);
        Assert.Equal((4, 2, 8), (_critical.Window, _critical.InFlight, _critical.Value)); // not the longer one of two: one each said nothing
    }

    [Fact]
    public void One_that_takes_longer_for_two_keeps_the_critical_interval_that_one_showed()
    {
        TryLong(Boundary, answers: 8);
        TryLong(Boundary + 4096, answers: 8, latency: 32);

        Assert.Equal((1, 1, 16), (_critical.Window, _critical.InFlight, _critical.Value));
    }

    [Fact]
    public void With_two_each_half_the_interval_is_long_enough_to_take_part()
    {
        TryLong(Boundary, answers: 8);

        Assert.False(BeginsAt(Boundary + 4096, interval: 4.7));
        Assert.True(BeginsAt(Boundary + 8192, interval: 4.9));
    }

    [Fact]
    public void One_answer_says_nothing()
    {
        Advance(Boundary, interval: 10);
        Add((40, 20));
        Advance(Boundary + 64, interval: 10);

        Assert.Equal(double.PositiveInfinity, _critical.Value);
    }

    [Fact]
    public void No_interval_is_of_use_that_is_longer_than_one_and_three_quarters_of_it()
    {
        Try(Boundary, gap: 20);

        Assert.Equal(35, _critical.LongestInterval);
    }

    [Theory]
    [InlineData(33, 19, 40)]
    [InlineData(34, 19, 0)] // so long do its requests take when nobody tries
    [InlineData(33, 20, 0)] // and so long its own work
    public void None_that_is_shorter_where_others_hold_up_its_requests(double latency, double idle, double shortest)
    {
        TryBeside(Boundary, latency, idle);

        Assert.Equal(shortest, _critical.ShortestInterval);
        Assert.Equal(shortest > 0, _critical.IsShared);
    }

    [Fact]
    public void Or_where_its_batches_carry_hardly_a_key()
    {
        TryBeside(Boundary, latency: 10, idle: 5, keys: 2);
        Assert.Equal(40, _critical.ShortestInterval);

        for (var i = 0; i < 1000; i++)
            Add(Boundary + 1000 + i, latency: 10, idle: 5, passed: 40, keys: 1.6);
        Assert.Equal(0, _critical.ShortestInterval);
    }

    [Fact]
    public void Whether_others_do_shows_as_soon_as_requests_take_less_than_in_the_trial()
    {
        TryBeside(Boundary, latency: 40, idle: 5); // the store was still full of what had gathered
        Assert.Equal(0, _critical.ShortestInterval);

        for (var i = 0; i < 1000; i++)
            Add(Boundary + 1000 + i, latency: 25, idle: 5, passed: 40);
        Assert.Equal(40, _critical.ShortestInterval);
    }

    [Theory]
    [InlineData(32, 8, 16)] // twice as many only wait
    [InlineData(32, 9, 0)] // but what requests take is their own work
    [InlineData(19, 8, 0)] // they don't
    public void Or_where_twice_as_many_requests_only_wait(double latencyOfTwo, double lowest, double shortest)
    {
        TryTwo(latencyOfTwo, lowest);

        Assert.Equal(shortest, _critical.ShortestInterval);
    }

    [Theory]
    [InlineData(4.1, 40)]
    [InlineData(3.9, 0)]
    public void That_is_over_when_requests_take_less_than_two_fifths_of_what_they_did(double latency, double shortest)
    {
        TryBeside(Boundary, latency: 10, idle: 5);
        for (var i = 0; i < 400; i++)
            Add(Boundary + 1000 + i, latency, idle: 1, passed: 40);

        Assert.Equal(shortest, _critical.ShortestInterval);
    }

    [Fact]
    public void The_one_in_the_middle_of_three_trials_counts_and_the_shorter_of_two()
    {
        Take(latency: 2.5); // trials take 64 ms at least
        foreach (var (trial, gap, middle) in new[] { (0, 10, 10), (1, 15, 10), (2, 5, 10), (3, 8, 8), (4, 7, 7), (5, 14, 8) })
        {
            Try(Boundary + (trial * 16_384), gap);
            Assert.Equal(middle, _critical.Value);
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

        Assert.Equal(10, _critical.Value);
        Assert.False(BeginsAt(Boundary + 10_240));
        Assert.False(BeginsAt(Boundary + 12_288));
        Assert.True(BeginsAt(Boundary + 16_384));
    }

    [Fact]
    public void Not_soon_where_the_lane_is_older_than_ten_seconds()
    {
        _critical.Advance(Boundary, interval: 10, leastInterval: 0, perKey: 1, mayTry: false);

        Assert.False(BeginsAt(Boundary + 10_240));
        Assert.True(BeginsAt(Boundary + 16_384));
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
        Assert.False(_critical.Disturbed(Boundary - 0.1));
        Assert.True(_critical.Disturbed(Boundary));
        Assert.True(_critical.Disturbed(Boundary + 127)); // how long the queue is, nobody knows yet
        Assert.False(_critical.Disturbed(Boundary + 128));

        Add((40, 20), (41, 20), (42, 20));
        Advance(Boundary + 64, interval: 10);
        Assert.True(_critical.Disturbed(Boundary + 83));
        Assert.False(_critical.Disturbed(Boundary + 84));
    }

    [Fact]
    public void However_long_requests_took_no_longer_than_the_trial_was()
    {
        Try(Boundary, gap: 5_000); // the store stood still

        Assert.True(_critical.Disturbed(Boundary + 127));
        Assert.False(_critical.Disturbed(Boundary + 128));
    }

    [Fact]
    public void One_pause_of_the_store_makes_no_long_trial()
    {
        Add(sentAt: 0, latency: 1, idle: 1, passed: 10);
        Add(sentAt: 10, latency: 10_000, idle: 1, passed: 10);
        Advance(Boundary, interval: 10);

        Assert.False(_critical.IsTriedAt(Boundary + 64));
    }

    [Fact]
    public void It_forgets_on_demand()
    {
        for (var trial = 0; trial < 3; trial++)
            TryBeside(Boundary + (trial * 2048), latency: 10, idle: 5);
        Add(Boundary + 5000, latency: 50, idle: 1, passed: 50);
        _critical.Forget();

        Assert.Equal(double.PositiveInfinity, _critical.LongestInterval);
        Assert.Equal(0, _critical.ShortestInterval);
        Assert.True(BeginsAt(Boundary + 6144, interval: 40)); // as soon as the first, though requests took 50

        _critical.Forget();
        Assert.False(_critical.IsTriedAt(Boundary + 6144));
    }

    private void Try(double at, double gap)
    {
        _critical.Advance(at, interval: 10, leastInterval: 0, perKey: 1, mayTry: true);
        for (var after = 40; after < 42; after++)
            Add(at + after, gap, idle: gap, passed: gap);
        _critical.Advance(at + 128, interval: 10, leastInterval: 0, perKey: 1, mayTry: true);
    }

    // So long do requests take, while four keys come in each millisecond.
    private void Take(double latency)
    {
        for (var i = 0; i < 1000; i++)
            Add(i, latency, idle: 1, passed: 1);
    }

    // Requests take 16 ms when nobody tries and with one under way.
    private void TryTwo(double latencyOfTwo, double lowest)
    {
        TryLong(Boundary, answers: 8, idle: 2 * lowest);
        TryLong(Boundary + 4096, answers: 8, latencyOfTwo, idle: 2 * lowest);
    }

    // Requests take 16 ms when nobody tries.
    private void TryLong(double at, int answers, double latency = 16, double idle = 16)
    {
        for (var before = 400; before > 0; before--)
            Add(at - before, latency: 16, idle, passed: 16);
        TryAt(at, interval: 16, answers, latency, idle, latency / _critical.Window);
    }

    // A trial in which requests take 40 ms, that otherwise take so long at the lane's interval, and so long on the idle store.
    private void TryBeside(double at, double latency, double idle, double keys = 4)
    {
        for (var before = 400; before > 0; before--)
            Add(at - before, latency, idle, passed: 40, keys);
        TryAt(at, interval: 40, answers: 2, latency: 40, idle, passed: 40, keys);
    }

    // Answers come in the second half of the trial, one after another from its end back.
    private void TryAt(double at, double interval, int answers, double latency, double idle, double passed, double keys = 4)
    {
        _critical.Advance(at, interval, leastInterval: 0, perKey: 1, mayTry: true);
        var length = 1;
        while (_critical.IsTriedAt(at + length))
            length++;
        for (var after = 1; after <= answers; after++)
            Add(at + length - after, latency, idle, passed, keys);
        _critical.Advance(at + (2 * length), interval, leastInterval: 0, perKey: 1, mayTry: false);
    }

    private bool BeginsAt(double time, double interval = 10, double perKey = 1, double leastInterval = 0)
    {
        _critical.Advance(time, interval, leastInterval, perKey, mayTry: true);
        return _critical.IsTriedAt(time);
    }

    private void Advance(double now, double interval) => _critical.Advance(now, interval, leastInterval: 0, perKey: 1, mayTry: true);

    // So many keys come in each millisecond.
    private void Offer(double rate)
    {
        for (var i = 0; i < 1000; i++)
            Add(sentAt: i, latency: 1, idle: 1, passed: 1, keys: rate);
    }

    private void Add(params (double SentAfter, double Gap)[] answers)
    {
        foreach (var (sentAfter, gap) in answers)
            Add(Boundary + sentAfter, gap, idle: gap, passed: gap);
    }

    private void Add(double sentAt, double latency, double idle, double passed, double keys = 4)
        => _critical.Add(new WriteAnswer(sentAt, latency, passed, keys, idle, Lowest: idle / 2));
}

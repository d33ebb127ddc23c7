using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>The default law's equations, computed by hand, where nothing swings. Intervals are known to a tick, 0.0001 ms.</summary>
public sealed class DelayLawTests
{
    private const double Tick = 0.0002;

    private readonly DelayLaw _law = new(new() { Swing = 0 });
    private double _now;

    private double Interval => _law.Interval.TotalMilliseconds;

    [Fact]
    public void It_begins_with_the_longest_interval_and_one_request_of_one_key()
    {
        Assert.Equal(400, Interval);
        Assert.Equal(1, _law.MaxInFlight);
        Assert.Equal(1, _law.MaxBatchKeys);
        Assert.Equal(100, new DelayLaw(new() { MaxIntervalMilliseconds = 100 }).Interval.TotalMilliseconds);
    }

    [Theory]
    [InlineData(10, 400)]
    [InlineData(1, 64)] // 64 times the latency
    [InlineData(0.001, 1)] // whatever the latency
    public void The_first_answer_bounds_the_interval_to_come_down_from(double latency, double expected)
    {
        Answer(latency, passed: 400);

        Assert.Equal(expected, Interval, Tick);
        Assert.Equal(24, _law.MaxInFlight);
        Assert.Equal(int.MaxValue, _law.MaxBatchKeys);
    }

    [Fact]
    public void Two_answers_without_a_queue_halve_it()
    {
        Answer(latency: 10, passed: 400);
        Answer(latency: 10, passed: 0);

        Assert.Equal(200, Interval, Tick);
    }

    [Fact]
    public void Two_with_a_queue_end_the_way_down_and_bound_requests_in_flight()
    {
        Answer(latency: 10, passed: 400);
        Answer(latency: 10, passed: 0);
        _now += 110;
        Answer(latency: 100, passed: 200);
        Assert.Equal((200, 24), (Interval, _law.MaxInFlight));

        Answer(latency: 100, passed: 200); // at most 40 of them are idle latency
        Assert.Equal((200, 1), (Interval, _law.MaxInFlight));
    }

    [Theory]
    [InlineData(100, 300, 200)] // one key takes a tenth of that: half the interval could cost as much again
    [InlineData(1_000, 2_500, 100)] // a hundredth: twice as many batches take hardly more
    [InlineData(1_000, 5_000, 200)] // but more than twice what it takes on an idle store is a queue
    public void Where_keys_are_most_of_a_batch_it_comes_down_all_the_same(int keys, double late, double expected)
    {
        Big(keys: 1, latency: 10);
        Big(keys, latency: keys);
        Assert.Equal(200, Interval, Tick);

        Big(keys, late);
        Big(keys, late);

        Assert.Equal(expected, Interval, Tick);

        void Big(int keys, double latency)
            => _law.RequestAnswered(LawDriver.Request(100, latency, interval: 400, answeredAt: _now += 10_000) with { Operations = keys });
    }

    [Fact]
    public void A_backlog_leaves_in_several_requests_where_keys_are_most_of_one()
    {
        Big(keys: 1, latency: 10);
        Big(keys: 100, latency: 109); // 1.3 ms each, one is taken to take 10
        _law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(_now), TimeSpan.FromMilliseconds(400), false, Keys: 400));
        Assert.Equal(int.MaxValue, _law.MaxBatchKeys); // on the way down the store shows what a batch takes

        Big(keys: 100, latency: 1_000);
        Big(keys: 100, latency: 1_000);
        Assert.Equal((int)(20 * 10 / 1.3), _law.MaxBatchKeys);

        _law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(_now), TimeSpan.FromMilliseconds(400), false, Keys: 4_000));
        Assert.Equal(1_000, _law.MaxBatchKeys);

        void Big(int keys, double latency)
            => _law.RequestAnswered(LawDriver.Request(100, latency, interval: 400, answeredAt: _now += 10_000) with { Operations = keys });
    }

    [Fact]
    public void On_an_idle_store_every_write_leaves_at_once()
    {
        Answers(count: 500, latency: 2);

        Assert.Equal(TimeSpan.Zero, _law.Interval); // 2/16, two thirds of 24, is less than a timer can keep
        Assert.Equal(23, _law.MaxInFlight); // 2.25 under way for 0.125 each: 18, and a quarter of 17
    }

    [Theory]
    [InlineData(12, 1.6)] // (2 / 0.5)² / 10
    [InlineData(14, 6.4)] // (4 / 0.5)² / 10
    [InlineData(18, 25.6)] // (8 / 0.5)² / 10
    public void It_rests_where_the_delay_is_the_factor_times_the_root_of_idle_latency_times_interval(double latency, double expected)
    {
        Answers(count: 200, latency: 10, passed: 30);
        Answers(count: 2000, latency, passed: 30);

        Assert.Equal(expected, Interval, 0.02 * expected);
    }

    [Theory]
    [InlineData(12, 10)] // 12 under way for 1.6 ms each: 7.5, and a quarter of 6.5
    [InlineData(18, 1)] // 18 under way for 25.6 ms each
    public void Requests_in_flight_are_as_many_as_latency_and_interval_ask_for(double latency, int expected)
    {
        Answers(count: 200, latency: 10, passed: 7);
        Answers(count: 2000, latency, passed: 7);

        Assert.Equal(expected, _law.MaxInFlight);
    }

    [Fact]
    public void A_delay_that_stays_however_seldom_batches_leave_is_the_stores_own()
    {
        Answers(count: 200, latency: 10);
        Answers(count: 2000, latency: 18);

        Assert.Equal(1.125, Interval, Tick); // 18/16: two thirds of 24
    }

    [Fact]
    public void But_not_where_batches_leave_as_often_as_before()
    {
        Answers(count: 200, latency: 10, passed: 30);
        Answers(count: 2000, latency: 18, passed: 170);

        Assert.Equal(25.6, Interval, 0.5);
    }

    [Fact]
    public void A_lane_with_little_to_send_has_few_in_flight_however_short_its_interval_is()
    {
        Answers(count: 200, latency: 10, passed: 60);

        Assert.Equal(0.625, Interval, Tick); // sixteen at a time
        Assert.Equal(3, _law.MaxInFlight); // 1 + 8 x 10 / 60
    }

    [Fact]
    public void Once_the_store_is_known_a_change_of_the_excess_counts_at_once()
    {
        Answers(count: 11_000, latency: 10, passed: 60); // 22 s: no queue, an excess of -0.5

        Answers(count: 3, latency: 12, passed: 60);

        // The excess goes from -0.5 to -0.4, -0.321 and -0.2: 0.625 x e^(0.1 x the sum of the three + 0.5 x 0.3).
        Assert.Equal(0.6629, Interval, Tick);
    }

    [Fact]
    public void A_delay_that_few_requests_meet_is_no_queue()
    {
        Answers(count: 200, latency: 10, passed: 60);
        for (var i = 0; i < 1000; i++)
            Answer(latency: i % 5 < 2 ? 40 : 10, passed: 60); // two of five

        Assert.Equal(0.625, Interval, Tick); // as on the idle store
    }

    [Fact]
    public void A_queue_that_none_of_the_last_five_answers_met_is_over()
    {
        Answers(count: 200, latency: 10, passed: 60);
        Answers(count: 60, latency: 1_000, passed: 1_000);

        Answers(count: 4, latency: 10, passed: 60);
        var before = Interval;
        Answer(latency: 10, passed: 60);

        Assert.True(Interval < 0.92 * before); // a whole step, though of 990 ms a third would be left in the average
    }

    [Fact]
    public void An_interval_that_does_not_hold_the_application_back_does_not_grow()
    {
        Answers(count: 200, latency: 10, passed: 0.1);

        Answer(latency: 60, passed: 0.1);

        Assert.Equal(0.625, Interval, Tick); // more than four times 0.1
    }

    [Theory]
    [InlineData(StoreRequestOutcome.Unknown)]
    [InlineData(StoreRequestOutcome.Unreachable)]
    public void A_lost_answer_makes_the_law_begin_anew(StoreRequestOutcome outcome)
    {
        Answers(count: 500, latency: 2);

        _law.RequestAnswered(LawDriver.Request(100, latency: 5, interval: 3, answeredAt: _now += 20, outcome: outcome));
        Assert.Equal((400, 1, 1), (Interval, _law.MaxInFlight, _law.MaxBatchKeys));

        Answer(latency: 10, passed: 0.1); // under way when the other was lost: it says nothing of the store that comes back
        Assert.Equal((400, 1, 1), (Interval, _law.MaxInFlight, _law.MaxBatchKeys));

        _now += 100;
        Answer(latency: 5, passed: 400);
        Assert.Equal((320, int.MaxValue), (Interval, _law.MaxBatchKeys)); // 64 times what the store takes now
        Answer(latency: 5, passed: 0);
        Assert.Equal(160, Interval);
    }

    [Fact]
    public void What_was_under_way_together_and_is_lost_together_begins_anew_once()
    {
        Lose(sentAt: 0, answeredAt: 20);
        _law.RequestAnswered(LawDriver.Request(100, latency: 1, interval: 400, answeredAt: 40));
        Assert.Equal(64, Interval);

        Lose(sentAt: 10, answeredAt: 50); // sent before the first was lost
        Assert.Equal(64, Interval);

        Lose(sentAt: 25, answeredAt: 60);
        Assert.Equal(400, Interval);
    }

    [Fact]
    public void A_lane_that_is_alone_does_not_take_what_varies_for_a_queue()
    {
        Answers(count: 200, latency: 10, passed: 60);
        Answers(count: 44, latency: 100, passed: 100); // a pause of the store has lengthened the interval
        Assert.InRange(Interval, 20, 100);
        for (var i = 0; i < 1000; i++)
            Answer(Interval > 13 ? 19 : 13, passed: 60); // slower when asked seldom

        Assert.InRange(Interval, 3, 20); // not (9 / 0.5)² / 10, where the delay of 9 ms would seem right
    }

    [Fact]
    public void Alone_a_queue_of_less_than_half_the_interval_shortens_it_by_half_a_step()
    {
        RunAwayAlone();
        var before = Interval;

        Answer(latency: 10 + (0.45 * before), passed: 60);

        Assert.Equal(before * Math.Exp(-0.05), Interval, Tick);
    }

    [Theory]
    [InlineData(0.55, 0)] // a queue of more than half the interval
    [InlineData(0, 1.1)] // an answer later than the next batch
    public void What_shows_company_lengthens_it_all_the_same(double delayOverInterval, double latencyOverInterval)
    {
        RunAwayAlone();
        var before = Interval;

        for (var i = 0; i < 5; i++)
            Answer(Math.Max(10 + (delayOverInterval * Interval), latencyOverInterval * Interval), passed: 60);

        Assert.True(Interval > before);
    }

    [Fact]
    public void Off_the_way_down_the_interval_swings_by_the_clock_and_nothing_else()
    {
        var law = new DelayLaw(new());
        for (var i = 0; i < 2200; i++)
            law.RequestAnswered(LawDriver.Request(100, latency: i < 200 ? 10 : 18, interval: 60, answeredAt: 2 * i)); // hardly a key: no trial

        var intervals = Enumerable.Range(12_288, 8192).Select(At).ToList(); // between two quiet moments

        var (shorter, longer) = (intervals.Min(), intervals.Max());
        Assert.Equal(4096, intervals.Count(interval => interval == longer));
        Assert.Equal(4096, intervals.Count(interval => interval == shorter));
        Assert.InRange(Math.Log(longer / shorter), (2 * 0.3 * 0.15) - 1e-4, (2 * 0.15) + 1e-4); // known to a tick

        double At(int time)
        {
            law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(time), TimeSpan.FromMilliseconds(30), false, Keys: 1));
            return law.Interval.TotalMilliseconds;
        }
    }

    [Theory]
    [InlineData(10, 20, 24)] // what the interval allows
    [InlineData(36, 1, 2)] // it works on half of one of them, or nearly one if it takes a little longer than the least
    public void Before_a_store_that_is_full_only_as_many_are_in_flight_as_it_works_on(double latency, int least, int most)
    {
        var law = new DelayLaw(new() { Swing = 0, MaxIntervalMilliseconds = 2, QueueFactor = 2 });
        for (var i = 0; i < 95; i++) // between two quiet moments
            law.RequestAnswered(LawDriver.Request(100, latency: i < 5 ? 10 : latency, interval: 2, answeredAt: 1_620 + (20 * i)));

        Assert.InRange(law.MaxInFlight, least, most);
    }

    // Who comes last before a log that waits for company is answered at once, who is alone waits as long as the log does; as the first request did.
    [Fact]
    public void What_one_key_takes_alone_counts_for_what_it_works_on()
    {
        var law = new DelayLaw(new() { Swing = 0, MaxIntervalMilliseconds = 2, QueueFactor = 2 });
        for (var i = 0; i < 95; i++) // between two quiet moments
            law.RequestAnswered(LawDriver.Request(100, latency: i == 0 ? 100 : i < 5 ? 10 : 36, interval: 2, answeredAt: 1_620 + (20 * i)));

        Assert.InRange(law.MaxInFlight, 6, 8);
    }

    // In two moments, one after a second and a half, the other two seconds after that.
    [Theory]
    [InlineData(1, 6, 8)]
    [InlineData(2, 1, 2)] // what two keys take is not what one does
    public void So_does_what_it_takes_in_quiet_moments(int keys, int least, int most)
    {
        var law = new DelayLaw(new() { Swing = 0, MaxIntervalMilliseconds = 2, QueueFactor = 2 });
        for (var i = 0; i < 400; i++)
        {
            law.RequestAnswered(Answer(latency: i < 5 ? 10 : 36, answeredAt: 20 * i, operations: 10));
            if (i is 83 or 185)
                law.RequestAnswered(Answer(latency: 100, answeredAt: i == 83 ? 1_662 : 3_710, keys));
        }

        Assert.InRange(law.MaxInFlight, least, most);

        static StoreRequest Answer(double latency, double answeredAt, int operations)
            => LawDriver.Request(100, latency, interval: 2, answeredAt) with { Operations = operations };
    }

    // A lane that knows that it is alone, and whose interval a pause of the store has lengthened, with all that was under way.
    private void RunAwayAlone()
    {
        Answers(count: 200, latency: 10, passed: 60);
        Answers(count: 44, latency: 200, passed: 200);
        Assert.InRange(Interval, 22, 60);
    }

    private void Answers(int count, double latency, double? passed = null)
    {
        for (var i = 0; i < count; i++)
            Answer(latency, passed ?? Interval);
    }

    // Answers come 2 ms apart, so that 2,000 of them stay within the memory of the idle store.
    private void Answer(double latency, double passed)
        => _law.RequestAnswered(LawDriver.Request(100, latency, passed, answeredAt: _now += 2));

    private void Lose(double sentAt, double answeredAt)
        => _law.RequestAnswered(LawDriver.Request(0, latency: answeredAt - sentAt, interval: 3, answeredAt, outcome: StoreRequestOutcome.Unknown));
}

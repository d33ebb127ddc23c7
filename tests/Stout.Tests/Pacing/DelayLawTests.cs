using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>The phases of the default law, one at a time.</summary>
public sealed class DelayLawTests
{
    private readonly DelayLaw _law = new(new());
    private double _now;

    [Fact]
    public void It_begins_without_an_interval_with_two_requests_of_one_key_in_flight()
        => Assert.Equal((PacingPhase.Startup, TimeSpan.Zero, 2, 1), (_law.Phase, _law.Interval, _law.MaxInFlight, _law.MaxBatchKeys));

    [Fact]
    public void A_writer_that_waits_for_each_answer_never_meets_an_interval()
    {
        for (var i = 0; i < 1_000; i++)
        {
            Answer(latency: i == 0 ? 300 : 4 + (i % 3), passed: 7);
            Assert.Equal(TimeSpan.Zero, _law.Interval);
        }

        Assert.Equal(PacingPhase.Steady, _law.Phase);
    }

    [Fact]
    public void A_backlog_leads_from_a_long_interval_down_until_answers_are_late()
    {
        Backlog();
        Assert.Equal((PacingPhase.Draining, 24 * 2, 24), (_law.Phase, _law.Interval.TotalMilliseconds, _law.MaxInFlight));

        Answer(latency: 20, passed: 48, sent: true);
        Answer(latency: 10, passed: 48, sent: true);
        Assert.Equal(PacingPhase.Draining, _law.Phase);
        Answer(latency: 11, passed: 48, sent: true);
        Assert.Equal(PacingPhase.Descending, _law.Phase);

        for (var i = 0; i < 4; i++)
            Answer(latency: 2, passed: 24, sent: true);
        Assert.Equal(12, _law.Interval.TotalMilliseconds);

        for (var i = 0; i < 2; i++)
            Answer(latency: 200, passed: 18, sent: true);
        Assert.Equal(PacingPhase.Steady, _law.Phase);
        Assert.InRange(_law.Interval.TotalMilliseconds, 11.9, 12.3);
    }

    [Fact]
    public void A_queue_that_grows_under_the_first_interval_doubles_it()
    {
        Backlog();
        Answer(latency: 20, passed: 48, sent: true);
        Answer(latency: 100, passed: 48, sent: true);
        Assert.Equal((PacingPhase.Draining, 96), (_law.Phase, _law.Interval.TotalMilliseconds));
    }

    [Fact]
    public void A_queue_lengthens_the_interval_and_its_end_shortens_it()
    {
        Settle(latency: 5, passed: 20);
        var idle = _law.Interval;
        for (var i = 0; i < 30; i++)
            Answer(latency: 100, passed: 20);
        var queued = _law.Interval;
        Assert.InRange(queued.TotalMilliseconds, 5, 80);

        for (var i = 0; i < 300; i++)
            Answer(latency: 5, passed: 20);
        Assert.True(_law.Interval < queued / 4);
        Assert.Equal(TimeSpan.Zero, idle);
    }

    [Fact]
    public void One_late_answer_is_no_queue()
    {
        Settle(latency: 5, passed: 20);
        Answer(latency: 3_000, passed: 20);
        Assert.Equal(TimeSpan.Zero, _law.Interval);
    }

    [Theory]
    [InlineData(true, 8, 400)]
    [InlineData(false, 0, 16)]
    public void Noise_far_above_the_base_latency_lengthens_the_interval_only_where_keys_come_during_the_wait(bool evenly, double least, double most)
    {
        Settle(latency: 1, passed: 4, keys: 32);
        Assert.InRange(Delayed(2_000, evenly), least, most);
    }

    [Fact]
    public void Waiting_writers_lose_a_long_interval_though_noise_stays()
    {
        Settle(latency: 1, passed: 4, keys: 32);
        Assert.InRange(Delayed(200, evenly: true), 16, 400);

        Delayed(100, evenly: false);
        Assert.InRange(_law.Interval.TotalMilliseconds, 0, 8);
    }

    [Fact]
    public void Large_requests_that_scatter_do_not_end_the_descent()
    {
        Backlog();
        for (var i = 0; _law.Phase != PacingPhase.Steady && i < 100; i++)
            Answer(latency: 0.9 * _law.Interval.TotalMilliseconds * (i % 2 == 0 ? 0.6 : 1.4), passed: 1, sent: true, keys: Math.Max(1, (int)_law.Interval.TotalMilliseconds));
        Assert.InRange(_law.Interval.TotalMilliseconds, 0, 8);
    }

    [Fact]
    public void Requests_in_flight_are_twice_what_Littles_law_asks_for()
    {
        Settle(latency: 50, passed: 20);
        Assert.InRange(_law.MaxInFlight, 5, 24);
    }

    [Fact]
    public void A_store_that_stays_slower_though_the_lane_has_slowed_down_is_learned_anew()
    {
        Settle(latency: 5, passed: 5);
        var phases = new HashSet<PacingPhase>();
        for (var i = 0; i < 3_000; i++)
        {
            Answer(latency: 80, passed: Math.Max(5, _law.Interval.TotalMilliseconds));
            phases.Add(_law.Phase);
        }

        Assert.Contains(PacingPhase.Relearning, phases);
        Assert.Equal(PacingPhase.Steady, _law.Phase);
        Assert.InRange(_law.Interval.TotalMilliseconds, 0, 30);
    }

    [Fact]
    public void Refusals_that_come_together_lengthen_the_interval_once_and_halve_the_keys()
    {
        Settle(latency: 5, passed: 20);
        Refuse(keys: 100, sentAt: _now);
        Refuse(keys: 100, sentAt: _now - 4);
        Assert.Equal((PacingPhase.Refused, 1.2, 50), (_law.Phase, _law.Interval.TotalMilliseconds, _law.MaxBatchKeys));

        for (var i = 0; i < 10_000; i++)
            Answer(latency: 5, passed: 20);
        Assert.Equal((PacingPhase.Steady, TimeSpan.Zero), (_law.Phase, _law.Interval));
        Assert.True(_law.MaxBatchKeys > 50);
    }

    [Fact]
    public void A_lost_answer_begins_anew_once_for_all_requests_that_were_in_flight()
    {
        Settle(latency: 5, passed: 20);
        Answer(latency: 1_000, passed: 20, outcome: StoreRequestOutcome.Unknown);
        Assert.Equal((PacingPhase.Startup, 2), (_law.Phase, _law.MaxInFlight));

        Answer(latency: 5, passed: 20);
        Answer(latency: 5_000, passed: 20, outcome: StoreRequestOutcome.Unknown);
        Assert.NotEqual(1, _law.MaxBatchKeys); // the second loss is of a request from before the restart, so the law keeps the answer that came between
    }

    [Fact]
    public void Reads_move_nothing_unless_they_are_refused()
    {
        Settle(latency: 5, passed: 20);
        for (var i = 0; i < 50; i++)
            Answer(latency: 500, passed: 20, kind: StoreRequestKind.Read);
        Assert.Equal(TimeSpan.Zero, _law.Interval);

        Answer(latency: 5, passed: 20, outcome: StoreRequestOutcome.Overloaded, kind: StoreRequestKind.Read);
        Assert.Equal(PacingPhase.Refused, _law.Phase);
    }

    // Two requests are in flight on average: the latency, 2 ms, is twice the time between answers, 1 ms.
    private void Backlog()
    {
        for (var i = 0; i < 6; i++)
            Answer(latency: 2, passed: 1);
    }

    private void Settle(double latency, double passed, int? keys = null)
    {
        for (var i = 0; i < 100; i++)
            Answer(latency, passed, keys: keys);
        Assert.Equal(PacingPhase.Steady, _law.Phase);
    }

    // The store takes 8 ms, and the next batch waits for the rest of the interval. Its keys come during that wait, or at its beginning.
    // Returns the longest interval in ms.
    private double Delayed(int answers, bool evenly)
    {
        var longest = 0.0;
        for (var i = 0; i < answers; i++)
        {
            var passed = Math.Max(8.1, _law.Interval.TotalMilliseconds) + (i % 4);
            var waited = passed - 8;
            Answer(latency: 8, passed, keys: 64, waited: waited, arrival: evenly ? waited * waited / (2 * passed) : 0.05);
            longest = Math.Max(longest, _law.Interval.TotalMilliseconds);
        }

        return longest;
    }

    /// <param name="latency">The answer's latency in ms.</param>
    /// <param name="passed">The time since the previous departure, and since the previous answer, in ms.</param>
    /// <param name="sent">Whether the request left after the previous answer. Then the latency passes in addition.</param>
    /// <param name="outcome">The request's outcome.</param>
    /// <param name="kind">The request's kind.</param>
    /// <param name="keys">The number of the request's keys; null for the number in the requests of <see cref="LawDriver"/>.</param>
    /// <param name="waited">The time in ms for which the batch waited with no request in flight.</param>
    /// <param name="arrival">The mean time in ms from the beginning of that wait until a key came.</param>
    private void Answer(
        double latency, double passed, bool sent = false, StoreRequestOutcome outcome = StoreRequestOutcome.Answered, StoreRequestKind kind = StoreRequestKind.Write, int? keys = null, double waited = 0, double arrival = 0)
    {
        _now += passed + (sent ? latency : 0);
        var request = LawDriver.Request(100, latency, passed, _now, outcome: outcome, kind: kind);
        request = request with { Operations = keys ?? request.Operations };
        _law.BatchSent(new BatchDeparture(request.SentAt, request.Interval, ApplicationLimited: false, request.Operations, TimeSpan.FromMilliseconds(waited), TimeSpan.FromMilliseconds(arrival)));
        _law.RequestAnswered(request);
    }

    private void Refuse(int keys, double sentAt) => _law.RequestAnswered(
        LawDriver.Request(100, latency: 1, interval: 20, answeredAt: sentAt + 1, outcome: StoreRequestOutcome.Overloaded) with { Operations = keys });
}

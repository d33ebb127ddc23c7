using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What the default law does in a trial of the critical interval, and after it. The lane's interval is 400 ms, so trials take 1,024.</summary>
public sealed class DelayLawTrialTests
{
    private const double Trial = 8_192;
    private const double End = Trial + 1_024;

    private readonly DelayLaw _law = new(new());

    public DelayLawTrialTests()
    {
        Answer(sentAt: 0, latency: 10);
        Answer(sentAt: 500, latency: 200); // two with a queue: the way down ends at 400
        Answer(sentAt: 1000, latency: 200);
        Answer(sentAt: 1200, latency: 200); // from here on it counts its keys
        Send(Trial - 1);
        Assert.InRange(_law.Interval.TotalMilliseconds, 340, 400); // swinging
    }

    [Fact]
    public void The_lane_sends_one_request_after_another()
    {
        Send(Trial);
        Assert.Equal((TimeSpan.Zero, 1), (_law.Interval, _law.MaxInFlight));

        Send(End - 1);
        Assert.Equal((TimeSpan.Zero, 1), (_law.Interval, _law.MaxInFlight));

        Send(End);
        Assert.InRange(_law.Interval.TotalMilliseconds, 340, 400);
    }

    [Fact]
    public void Who_has_hardly_anything_to_send_does_not()
    {
        for (var i = 0; i < 500; i++)
            Answer(sentAt: 2000 + (10 * i), latency: 200, keys: 1);
        Send(Trial);

        Assert.InRange(_law.Interval.TotalMilliseconds, 340, 400);
    }

    [Fact]
    public void A_store_that_refuses_is_not_tried()
    {
        for (var i = 0; i < 40; i++)
            Answer(sentAt: 2000 + (100 * i), latency: 10, outcome: StoreRequestOutcome.Overloaded);
        Send(Trial);
        TryWithLatency(60); // which would show a critical interval
        Answer(Trial + 700_000, latency: 200); // the refusals are history

        Assert.InRange(_law.Interval.TotalMilliseconds, 1.75 * 60 * 1.3, 400);
    }

    [Fact]
    public void An_interval_much_longer_than_the_critical_one_is_left_at_the_next_answer()
    {
        Send(Trial);
        TryWithLatency(60);
        Answer(End + 200, latency: 20);

        Assert.InRange(_law.Interval.TotalMilliseconds, 1.75 * 60 / 1.2, 1.75 * 60 * 1.2); // swinging
    }

    [Theory]
    [InlineData(30, 120, 163)] // the 140 of the trial, swinging
    [InlineData(120, 0, 90)] // requests take far less than when nobody tried before it
    public void Nor_is_a_much_shorter_one_taken_where_others_held_up_its_requests(double latency, double shortest, double longest)
    {
        for (var at = 1500; at < Trial - 500; at += 400)
            Answer(at, latency);
        Send(Trial);
        TryWithLatency(140);
        for (var i = 1; i <= 140; i++)
            Answer(End + 120 + (9 * i), latency: 45, interval: 140); // a queue that would let it come down

        Assert.InRange(_law.Interval.TotalMilliseconds, shortest, longest);
    }

    [Theory]
    [InlineData(30, 10)] // half of what it took over the least that any did, 10 ms
    [InlineData(100, 0)]
    public void Who_had_to_wait_where_others_held_up_its_requests_sends_its_next_batch_later(double latency, double later)
    {
        for (var at = 1500; at < Trial - 500; at += 400)
            Answer(at, latency);
        Send(Trial);
        TryWithLatency(140);
        Answer(End + 400, latency: 30, interval: 140);
        var delayed = _law.Interval;
        Send(End + 430);

        Assert.Equal(later, (delayed - _law.Interval).TotalMilliseconds, 0.01);
    }

    [Fact]
    public void What_was_sent_in_a_trial_or_met_its_queue_moves_nothing_itself()
    {
        Send(End);
        var before = _law.Interval;
        Send(Trial);
        TryWithLatency(100);
        Answer(End + 90, latency: 480);
        Send(End + 600); // the swing still makes it shorter

        Assert.Equal(before, _law.Interval);
    }

    [Fact]
    public void An_interval_that_the_store_keeps_up_with_needs_one_request_in_flight()
    {
        var untried = new DelayLawTrialTests();
        untried.AnswerLarge(End + 400);
        Assert.True(untried._law.MaxInFlight > 1);

        Send(Trial);
        TryWithLatency(100);
        AnswerLarge(End + 400);

        Assert.Equal(1, _law.MaxInFlight);
    }

    [Fact]
    public void Where_one_at_a_time_is_answered_quickly_two_are_under_way_in_the_next_trial_but_not_before_they_are_proven()
    {
        Answer(sentAt: 2000, latency: 200);
        Send(Trial);
        TryWithLatency(120);
        Answer(End + 200, latency: 200);
        Assert.Equal(1, _law.MaxInFlight);

        Send(64 * 1_024);
        Assert.Equal((TimeSpan.Zero, 2), (_law.Interval, _law.MaxInFlight));
    }

    // A batch that takes as long on the idle store as two intervals.
    private void AnswerLarge(double sentAt)
    {
        var request = LawDriver.Request(100, latency: 800, interval: 400, answeredAt: sentAt + 800);
        _law.RequestAnswered(request with { Operations = 1000 });
    }

    private void TryWithLatency(double latency)
    {
        for (var i = 0; i < 4; i++)
            Answer(Trial + 520 + (60 * i), latency, interval: 60);
    }

    private void Send(double at) => _law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(at), TimeSpan.FromMilliseconds(400), ApplicationLimited: false, Keys: 1));

    private void Answer(double sentAt, double latency, double interval = 400, int keys = 10, StoreRequestOutcome outcome = StoreRequestOutcome.Answered)
        => _law.RequestAnswered(LawDriver.Request(100, latency, interval, answeredAt: sentAt + latency, outcome: outcome) with { Operations = keys });
}

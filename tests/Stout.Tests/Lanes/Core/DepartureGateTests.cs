using Stout.Lanes.Core;
using Stout.Pacing;
using Stout.Tests.Support;

namespace Stout.Tests.Lanes.Core;

/// <summary>The state of the departure gate after a sequence of departures and of the store's answers.</summary>
public sealed class DepartureGateTests
{
    private readonly RecordingLaw _law = new();
    private readonly DepartureGate _gate;

    public DepartureGateTests() =>
        _gate = new DepartureGate(_law, new RetryDelay(TimeSpan.FromMilliseconds(50), TimeSpan.FromSeconds(1), new Random(1)), timerStep: TimeSpan.FromMilliseconds(1));

    [Fact]
    public void A_store_is_out_of_reach_from_the_first_request_that_did_not_reach_it()
    {
        Answer(10, StoreRequestOutcome.Unreachable);
        Answer(20, StoreRequestOutcome.Unreachable);

        Assert.Equal(10, _gate.UnreachableSince?.TotalMilliseconds);
        Assert.True(_gate.IsFailing);
    }

    [Theory]
    [InlineData(StoreRequestOutcome.Answered, false)]
    [InlineData(StoreRequestOutcome.Unknown, true)]
    [InlineData(StoreRequestOutcome.Overloaded, false)]
    public void Any_other_answer_shows_that_it_can_be_reached(StoreRequestOutcome answer, bool isFailing)
    {
        Answer(10, StoreRequestOutcome.Unreachable);
        Answer(20, answer);
        Assert.Null(_gate.UnreachableSince);
        Assert.Equal(isFailing, _gate.IsFailing);

        Answer(30, StoreRequestOutcome.Unreachable);
        Assert.Equal(30, _gate.UnreachableSince?.TotalMilliseconds);
    }

    [Fact]
    public void The_longest_wait_that_the_store_has_asked_for_holds()
    {
        Answer(10, StoreRequestOutcome.Overloaded, TimeSpan.FromSeconds(5));
        Answer(20, StoreRequestOutcome.Overloaded, TimeSpan.FromSeconds(3));

        Assert.Equal(5010, _gate.HeldUntil.TotalMilliseconds);
        Assert.Equal(5010, _gate.NextDeparture.TotalMilliseconds);
    }

    [Fact]
    public void A_request_sent_after_the_last_trouble_is_a_trouble_of_its_own()
    {
        Answer(10, StoreRequestOutcome.Overloaded, sentAt: 0);
        Answer(20, StoreRequestOutcome.Overloaded, sentAt: 10);
        Assert.Equal(1, _gate.ConsecutiveFailures);

        Answer(30, StoreRequestOutcome.Overloaded, sentAt: 11);
        Assert.Equal(2, _gate.ConsecutiveFailures);

        // The next request was sent at 29 ms, before the last failure at 30 ms. So its failure does not count as a further one.
        Answer(40, StoreRequestOutcome.Overloaded, sentAt: 29);
        Assert.Equal(2, _gate.ConsecutiveFailures);

        Answer(50, StoreRequestOutcome.Answered);
        Assert.Equal(0, _gate.ConsecutiveFailures);
    }

    [Theory]
    [InlineData(19.5, 40)]
    [InlineData(20, 40)]
    [InlineData(21, 40)]
    [InlineData(21.5, 41.5)]
    public void A_timer_that_is_late_or_not_waited_for_does_not_put_off_the_batch_after_the_next(double left, double due)
    {
        _law.Interval = TimeSpan.FromMilliseconds(20);
        _gate.Depart(TimeSpan.Zero, keys: 1);
        _gate.NoteReady(true);

        _gate.Depart(TimeSpan.FromMilliseconds(left), keys: 1);

        Assert.Equal(due, _gate.NextDeparture.TotalMilliseconds);
    }

    [Theory]
    [InlineData(19.4, false)]
    [InlineData(19.5, true)]
    public void Half_a_step_of_the_timer_before_its_time_a_batch_is_due(double now, bool isDue)
    {
        _law.Interval = TimeSpan.FromMilliseconds(20);
        _gate.Depart(TimeSpan.Zero, keys: 1);

        Assert.Equal(isDue, _gate.IsDue(TimeSpan.FromMilliseconds(now)));
    }

    [Theory]
    [InlineData(5009.9, false)]
    [InlineData(5010, true)]
    public void But_not_before_the_store_wants_to_hear_of_it_again(double now, bool isDue)
    {
        Answer(10, StoreRequestOutcome.Overloaded, TimeSpan.FromSeconds(5));

        Assert.Equal(isDue, _gate.IsDue(TimeSpan.FromMilliseconds(now)));
    }

    [Fact]
    public void A_batch_that_had_nothing_to_carry_or_no_place_when_it_was_due_is_what_the_next_interval_counts_from()
    {
        _law.Interval = TimeSpan.FromMilliseconds(20);
        _gate.Depart(TimeSpan.Zero, keys: 1);
        _gate.NoteReady(true);
        _gate.NoteReady(false);

        _gate.Depart(TimeSpan.FromMilliseconds(20.5), keys: 1);

        Assert.Equal(40.5, _gate.NextDeparture.TotalMilliseconds);
    }

    [Fact]
    public void Intervals_shorter_than_a_timer_is_late_are_kept_in_the_mean_and_never_made_up_for_twice()
    {
        _law.Interval = TimeSpan.FromMilliseconds(0.6);
        _gate.Depart(TimeSpan.Zero, keys: 1);
        _gate.NoteReady(true);

        _gate.Depart(TimeSpan.FromMilliseconds(1.5), keys: 1);
        Assert.Equal(1.2, _gate.NextDeparture.TotalMilliseconds, 6);

        // This batch was due at 1.2 ms, before the previous batch left at 1.5 ms. So its lateness is not made up for: the next interval counts from 1.6 ms.
        _gate.NoteReady(true);
        _gate.Depart(TimeSpan.FromMilliseconds(1.6), keys: 1);
        Assert.Equal(2.2, _gate.NextDeparture.TotalMilliseconds, 6);
    }

    [Fact]
    public void A_batch_that_leaves_because_the_law_has_shortened_the_interval_is_not_late()
    {
        _law.Interval = TimeSpan.FromMilliseconds(20);
        _gate.Depart(TimeSpan.Zero, keys: 1);
        _gate.NoteReady(true);
        _law.Interval = TimeSpan.FromMilliseconds(10);
        Answer(10.5, StoreRequestOutcome.Answered);

        _gate.Depart(TimeSpan.FromMilliseconds(10.5), keys: 1);

        Assert.Equal(20.5, _gate.NextDeparture.TotalMilliseconds);
    }

    [Theory]
    [InlineData(5, false)]
    [InlineData(20, false)]
    [InlineData(21, true)]
    public void Work_has_come_in_time_until_the_departure_is_due_however_long_it_waits_for_a_place(double came, bool isLate)
    {
        _law.Interval = TimeSpan.FromMilliseconds(20);
        _gate.Depart(TimeSpan.Zero, keys: 1);
        _gate.NoteWork(true, TimeSpan.FromMilliseconds(came));
        _gate.NoteWork(true, TimeSpan.FromMilliseconds(25));

        Assert.Equal(isLate, _gate.Depart(TimeSpan.FromMilliseconds(30), keys: 1).ApplicationLimited);
    }

    private void Answer(double at, StoreRequestOutcome outcome, TimeSpan? retryAfter = null, double? sentAt = null) =>
        _gate.Answered(
            new StoreRequest
            {
                Kind = StoreRequestKind.Write,
                Operations = 1,
                Bytes = 1,
                SentAt = TimeSpan.FromMilliseconds(sentAt ?? at - 1),
                AnsweredAt = TimeSpan.FromMilliseconds(at),
                Outcome = outcome,
                RetryAfter = retryAfter,
                Interval = TimeSpan.Zero,
            },
            null);
}

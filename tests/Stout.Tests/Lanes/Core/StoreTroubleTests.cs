using Stout.Lanes.Core;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Overload, refusals, and requests without an answer.</summary>
public sealed class StoreTroubleTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly CoreDriver _lane = new();

    [Fact]
    public void An_overloaded_store_is_left_alone_for_as_long_as_it_asks()
    {
        _lane.Answer(_lane.SendChange(_lane.Open("a")), WriteOutcomeKind.Overloaded, 3 * Second);
        _lane.PassAsALane(2999);
        Assert.Empty(_lane.Callbacks);

        _lane.PassAsALane(1);

        Assert.Single(_lane.Callbacks);
    }

    [Fact]
    public void The_longest_wait_that_any_key_was_told_holds_for_all()
    {
        _lane.Mark(_lane.Open("a"));
        _lane.Mark(_lane.Open("b"));
        _lane.Mark(_lane.Open("c"));
        _lane.Pass();
        _lane.SerializeAll();
        var request = _lane.Writes[0];
        request.Batch.SetOutcome(0, new WriteOutcome(WriteOutcomeKind.Overloaded, RetryAfter: 2 * Second));
        request.Batch.SetOutcome(1, new WriteOutcome(WriteOutcomeKind.Overloaded, RetryAfter: 5 * Second));
        request.Batch.SetOutcome(2, new WriteOutcome(WriteOutcomeKind.Overloaded, RetryAfter: 3 * Second));
        _lane.Answered(request);

        Assert.Equal(5 * Second, _lane.Core.WakeAt);
    }

    [Fact]
    public void Newer_changes_join_those_that_an_overloaded_store_has_refused()
    {
        var handle = _lane.Open("a");
        var first = _lane.Change(handle, "x");
        _lane.Pass();
        _lane.SerializeAll();
        var second = _lane.Change(handle, "y");
        var refused = _lane.Writes[0].Batch[0].Next;
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Overloaded);
        _lane.PassAsALane(100);
        _lane.SerializeAll();
        var again = Assert.Single(_lane.Writes);

        Assert.Equal(2, again.Batch.PartCount);
        Assert.NotEqual(refused, again.Batch[0].Next);
        _lane.Answer(again);
        Assert.Equal([first, second], _lane.Released);
        Assert.True(second.IsSafe);
    }

    [Fact]
    public void The_wait_grows_with_every_refusal_up_to_the_longest()
    {
        _lane.SendChange(_lane.Open("a"));
        var waits = new List<double>();
        for (var i = 0; i < 8; i++)
        {
            _lane.Answer(Assert.Single(_lane.Writes), WriteOutcomeKind.Overloaded);
            waits.Add((_lane.Core.WakeAt!.Value - _lane.Now).TotalMilliseconds);
            _lane.PassToWake();
            _lane.SerializeAll();
        }

        Assert.InRange(waits[0], 40, 50);
        Assert.InRange(waits[1], 80, 100);
        Assert.InRange(waits[^1], 800, 1000);
    }

    [Fact]
    public void Requests_that_fail_together_count_as_one_trouble()
    {
        var requests = new List<WriteRequest>();
        for (var i = 0; i < 8; i++)
            requests.Add(_lane.SendChange(_lane.Open($"key {i}")));
        requests.ForEach(request => _lane.Answer(request, WriteOutcomeKind.Overloaded));
        Assert.Equal(1, _lane.Core.GetStatistics().ConsecutiveFailures);

        _lane.PassAsALane(50);

        Assert.Single(_lane.Callbacks);
    }

    [Fact]
    public void No_retry_after_is_too_long_for_a_timer()
    {
        _lane.Answer(_lane.SendChange(_lane.Open("a")), WriteOutcomeKind.Overloaded, TimeSpan.MaxValue);

        Assert.InRange(_lane.Core.WakeAt!.Value, Second, TimeSpan.FromDays(1));
    }

    [Fact]
    public void An_unknown_outcome_is_resolved_by_the_same_stamps_and_bytes_and_newer_changes_wait()
    {
        var handle = _lane.Open("a");
        var first = _lane.Change(handle);
        _lane.Pass();
        _lane.SerializeAll();
        var (write, part) = (_lane.Writes[0].Batch[0], _lane.Writes[0].Batch.PartsOf(0)[0]);
        var second = _lane.Change(handle, "newer");
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Unknown);
        _lane.PassAsALane(100);

        var repeat = Assert.Single(_lane.Writes);
        Assert.Empty(_lane.Callbacks);
        Assert.Equal(write, repeat.Batch[0]);
        Assert.Equal(part, Assert.Single(repeat.Batch.PartsOf(0).ToArray()));
        _lane.Answer(repeat);
        Assert.True(first.IsSafe);
        Assert.False(second.IsReleased);
        _lane.SerializeAll();
        Assert.Equal(write.Next, Assert.Single(_lane.Writes).Batch[0].Expected);
    }

    [Fact]
    public void The_wait_before_a_repeat_grows_though_others_are_answered_meanwhile()
    {
        var (silent, other) = (_lane.Open("silent"), _lane.Open("other"));
        _lane.Answer(_lane.SendChange(silent), WriteOutcomeKind.Unknown);
        _lane.PassAsALane(60);
        var repeat = Assert.Single(_lane.Writes);
        _lane.Answer(repeat, WriteOutcomeKind.Unknown);
        _lane.PassAsALane(110);
        repeat = Assert.Single(_lane.Writes);
        _lane.Answer(repeat, WriteOutcomeKind.Unknown);
        _lane.PassAsALane(210);
        repeat = Assert.Single(_lane.Writes);

        // The store answers a read in between. So only the silent key waits, and the lane goes on.
        _lane.Law.MaxInFlight = 2;
        _lane.Fill("read");
        _lane.Pass();
        _lane.Answer(Assert.Single(_lane.Reads), _ => ReadOutcome.NotFound(Stamp.Absent));
        _lane.Answer(repeat, WriteOutcomeKind.Unknown);
        _lane.Mark(other);
        _lane.Pass();
        _lane.PassAsALane(60);
        _lane.SerializeAll();
        Assert.Equal("other", Assert.Single(_lane.Writes).Batch[0].Key.Text);
        _lane.Answer(_lane.Writes[0]);
        _lane.PassAsALane(250);
        Assert.Empty(_lane.Writes);
        _lane.PassAsALane(100);
        Assert.Equal("silent", Assert.Single(_lane.Writes).Batch[0].Key.Text);
    }

    [Fact]
    public void What_stays_unknown_fails_as_unknown()
    {
        _lane.Pass(40_000);
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.SerializeAll();
        while (!message.IsReleased && _lane.Now < 120 * Second)
        {
            if (_lane.Writes.Count > 0)
                _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Unknown);
            else
                _lane.PassToWake();
        }

        Assert.InRange(_lane.Now, 68 * Second, 72 * Second);
        message.FailedWith<OutcomeUnknownException>();
    }

    [Fact]
    public void What_stays_unknown_tells_what_the_store_said()
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.SerializeAll();
        var said = new StoreException(StoreErrorKind.Unknown, "said");
        _lane.Writes[0].Batch.SetOutcome(0, WriteOutcome.Of(said));
        _lane.Answered(_lane.Writes[0]);
        _lane.Pass(30_000);

        Assert.Same(said, message.FailedWith<OutcomeUnknownException>().InnerException);
    }

    [Theory]
    [InlineData(WriteOutcomeKind.Conflict)]
    [InlineData(WriteOutcomeKind.Fenced)]
    public void What_is_refused_after_an_unknown_outcome_is_unknown(WriteOutcomeKind refusal)
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Unknown);
        _lane.PassAsALane(100);
        _lane.Answer(_lane.Writes[0], refusal);

        Assert.IsAssignableFrom<NotAppliedException>(message.FailedWith<OutcomeUnknownException>().InnerException);
    }

    [Theory]
    [InlineData(WriteOutcomeKind.Conflict, typeof(ConflictException))]
    [InlineData(WriteOutcomeKind.Fenced, typeof(FencedException))]
    [InlineData(WriteOutcomeKind.Refused, typeof(NotAppliedException))]
    public void What_is_refused_at_the_first_attempt_is_not_applied(WriteOutcomeKind refusal, Type failure)
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0], refusal);

        Assert.Equal(failure, message.Failure?.GetType());
    }

    [Fact]
    public void Who_is_refused_is_told_what_the_store_said()
    {
        var messages = new[] { _lane.Change(_lane.Open("a")), _lane.Change(_lane.Open("b")) };
        _lane.Pass();
        _lane.SerializeAll();
        var said = new StoreException(StoreErrorKind.Refused, "said");
        _lane.Writes[0].Batch.SetOutcome(0, WriteOutcome.Of(said));
        _lane.Writes[0].Batch.SetOutcome(1, new WriteOutcome(WriteOutcomeKind.Refused));
        _lane.Answered(_lane.Writes[0]);

        Assert.Same(said, messages[0].FailedWith<NotAppliedException>().InnerException);
        Assert.Equal(StoreErrorKind.Refused, Assert.IsType<StoreException>(messages[1].FailedWith<NotAppliedException>().InnerException).Kind);
    }

    [Fact]
    public void A_repeat_too_waits_while_the_store_asks_to_be_left_alone()
    {
        _lane.Answer(_lane.SendChange(_lane.Open("a")), WriteOutcomeKind.Unknown);
        var other = _lane.Open("b");
        _lane.Fill("c");
        _lane.PassAsALane(60);
        Assert.Single(_lane.Writes);
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Unknown);
        _lane.Answer(Assert.Single(_lane.Reads), _ => ReadOutcome.Of(new StoreException(StoreErrorKind.Overloaded, "busy") { RetryAfter = 5 * Second }));
        _lane.Mark(other);

        _lane.PassAsALane(4999);
        Assert.Empty(_lane.Writes);

        _lane.PassAsALane(1);
        Assert.Single(_lane.Writes);
    }

    [Fact]
    public void An_unknown_outcome_waits_no_longer_for_an_overloaded_store_than_the_options_say()
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Fill("b");
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Unknown);
        _lane.Answer(Assert.Single(_lane.Reads), _ => ReadOutcome.Of(new StoreException(StoreErrorKind.Overloaded, "busy") { RetryAfter = 600 * Second }));

        _lane.PassAsALane(30_000);

        message.FailedWith<OutcomeUnknownException>();
    }

    [Fact]
    public void A_request_without_an_answer_is_repeated_and_its_late_answer_harmless()
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.SerializeAll();
        var silent = _lane.Writes[0];
        _lane.PassAsALane(15_100);
        var repeat = _lane.Writes[1];
        Assert.NotSame(silent.Batch, repeat.Batch);
        Assert.Equal(silent.Batch[0], repeat.Batch[0]);

        _lane.Answer(silent, WriteOutcomeKind.Refused);
        Assert.False(message.IsReleased);
        _lane.Answer(repeat);

        Assert.True(message.IsSafe);
    }

    [Fact]
    public void Outcomes_of_a_request_that_was_given_up_are_not_looked_at()
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Writes[0].Batch.SetOutcome(0, new WriteOutcome(WriteOutcomeKind.Committed));
        _lane.PassAsALane(15_000);

        Assert.False(message.IsReleased);
    }

    [Fact]
    public void Unknown_outcomes_are_resolved_by_one_request_at_a_time()
    {
        _lane.SendChange(_lane.Open("a"));
        _lane.SendChange(_lane.Open("b"));
        _lane.Writes.ToList().ForEach(request => _lane.Answer(request, WriteOutcomeKind.Unknown));
        _lane.PassAsALane(1000);

        Assert.Single(_lane.Writes);
    }

    [Fact]
    public void Memory_of_a_request_without_an_answer_is_never_used_again()
    {
        var handle = _lane.Open("a");
        var message = _lane.Change(handle);
        _lane.Pass();
        var callback = _lane.Callbacks[0];
        _lane.SerializeAll();
        var silent = _lane.Writes[0];
        var bytes = silent.Batch.PartsOf(0)[0].Value;
        var before = bytes.ToArray();
        _lane.PassAsALane(15_100);
        _lane.Answer(_lane.Writes[1]);
        Assert.True(message.IsSafe);
        _lane.Writes.Clear();

        for (var i = 0; i < 5; i++)
        {
            _lane.Mark(handle);
            _lane.Pass();
            Assert.NotSame(callback, _lane.Callbacks[0]);
            CoreDriver.WriteAsked(_lane.Callbacks[0][0], 20);
            _lane.EndCallback(_lane.Callbacks[0]);
            _lane.Pass();
            Assert.NotSame(silent, _lane.Writes[0]);
            _lane.Answer(_lane.Writes[0]);
        }

        Assert.Equal(1, silent.Batch.Count);
        Assert.Equal(before, bytes.ToArray());
    }

    [Fact]
    public void Each_key_of_a_request_has_its_own_fate()
    {
        WriteOutcomeKind[] fates =
        [
            WriteOutcomeKind.Committed, WriteOutcomeKind.Conflict, WriteOutcomeKind.Unknown, WriteOutcomeKind.Overloaded, WriteOutcomeKind.Refused,
        ];
        var messages = fates.Select((_, i) => _lane.Change(_lane.Open($"key {i}"))).ToArray();
        _lane.Pass();
        _lane.SerializeAll();
        var request = Assert.Single(_lane.Writes);
        for (var i = 0; i < fates.Length; i++)
            request.Batch.SetOutcome(i, new WriteOutcome(fates[i]));
        _lane.Answered(request);

        Assert.True(messages[0].IsSafe);
        messages[1].FailedWith<ConflictException>();
        Assert.False(messages[2].IsReleased);
        Assert.False(messages[3].IsReleased);
        messages[4].FailedWith<NotAppliedException>();
        Assert.Equal(StoreRequestOutcome.Unknown, Assert.Single(_lane.Law.Requests).Outcome);
    }
}

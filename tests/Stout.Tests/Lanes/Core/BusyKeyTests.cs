using Stout.Pacing;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>A key that the store can't write now, while it writes other keys.</summary>
public sealed class BusyKeyTests
{
    private static readonly Stamp Stored = new(0, Guid.NewGuid(), 7);

    private readonly CoreDriver _lane = new();

    [Fact]
    public void A_busy_key_waits_alone_and_its_neighbor_is_done()
    {
        var (busy, other) = SendTwo();

        _lane.Answered(_lane.Writes[0]);

        Assert.True(other.IsSafe);
        Assert.False(busy.IsReleased);
        _lane.Mark(_lane.Open("third"));
        _lane.Pass();
        Assert.Equal("third", Assert.Single(_lane.Callbacks)[0].Key.Text);
    }

    [Fact]
    public void Pacing_takes_a_request_with_a_busy_key_as_answered()
    {
        SendTwo(TimeSpan.FromHours(1));

        _lane.Answered(_lane.Writes[0]);

        var told = Assert.Single(_lane.Law.Requests);
        Assert.Equal((StoreRequestOutcome.Answered, (TimeSpan?)null), (told.Outcome, told.RetryAfter));
        Assert.Equal(0, _lane.Core.GetStatistics().ConsecutiveFailures);
    }

    [Theory]
    [InlineData(WriteOutcomeKind.Busy)]
    [InlineData(WriteOutcomeKind.Refused)]
    [InlineData(WriteOutcomeKind.Conflict)]
    public void Latency_of_a_request_that_committed_nothing_is_kept_from_the_pacing(WriteOutcomeKind kind)
    {
        _lane.Answer(_lane.SendChange(_lane.Open("a")), kind);
        Assert.Empty(_lane.Law.Requests);

        _lane.Answer(_lane.SendChange(_lane.Open("b")));
        Assert.Single(_lane.Law.Requests);
    }

    [Fact]
    public void The_delay_of_a_busy_key_grows_and_the_store_may_ask_for_more()
    {
        _lane.SendChange(_lane.Open("busy"));
        var waits = new List<double>();
        for (var i = 0; i < 6; i++)
        {
            _lane.Answer(Assert.Single(_lane.Writes), WriteOutcomeKind.Busy, i == 5 ? TimeSpan.FromSeconds(7) : null);
            waits.Add((_lane.Core.WakeAt!.Value - _lane.Now).TotalMilliseconds);
            _lane.PassToWake();
            _lane.SerializeAll();
        }

        Assert.InRange(waits[0], 40, 50);
        Assert.InRange(waits[1], 80, 100);
        Assert.InRange(waits[4], 640, 800);
        Assert.Equal(7000, waits[5]);
    }

    [Fact]
    public void A_change_of_a_busy_key_joins_those_that_wait_and_does_not_hasten_them()
    {
        var handle = _lane.Open("busy");
        var first = _lane.Change(handle, "x");
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Busy);

        var second = _lane.Change(handle, "y");
        _lane.Pass();
        Assert.Empty(_lane.Callbacks);
        _lane.PassToWake();
        _lane.SerializeAll();

        Assert.Equal(2, _lane.Writes[0].Batch.PartCount);
        _lane.Answer(_lane.Writes[0]);
        Assert.Equal([first, second], _lane.Released);
    }

    [Fact]
    public void A_key_that_stays_busy_is_given_up_and_is_certainly_not_applied()
    {
        var message = _lane.Change(_lane.Open("busy"));
        _lane.Pass();
        _lane.SerializeAll();
        var cause = new StoreException(StoreErrorKind.Busy, "locked");
        var began = _lane.Now;
        while (!message.IsReleased)
        {
            if (_lane.Writes.Count > 0)
            {
                _lane.Writes[0].Batch.SetOutcome(0, WriteOutcome.Of(cause));
                _lane.Answered(_lane.Writes[0]);
            }

            _lane.PassToWake();
            _lane.SerializeAll();
        }

        var failure = message.FailedWith<NotAppliedException>();
        Assert.Equal((NotAppliedReason.KeyBusy, cause), (failure.Reason, failure.InnerException));
        Assert.Equal(new StoutOptions().UnreachableTimeout, _lane.Now - began);
    }

    [Fact]
    public void A_busy_key_after_an_unknown_attempt_is_repeated_with_the_same_stamp()
    {
        var request = _lane.SendChange(_lane.Open("a"));
        var write = request.Batch[0];
        _lane.Answer(request, WriteOutcomeKind.Unknown);
        _lane.PassAsALane(200);
        _lane.Answer(Assert.Single(_lane.Writes), WriteOutcomeKind.Busy);
        _lane.PassAsALane(200);

        Assert.Equal(write, Assert.Single(_lane.Writes).Batch[0]);
    }

    [Fact]
    public void After_a_commit_the_delays_of_a_busy_key_begin_anew()
    {
        var handle = _lane.Open("a");
        for (var round = 0; round < 2; round++)
        {
            _lane.Answer(_lane.SendChange(handle), WriteOutcomeKind.Busy);
            Assert.InRange((_lane.Core.WakeAt!.Value - _lane.Now).TotalMilliseconds, 40, 50);
            _lane.PassToWake();
            _lane.SerializeAll();
            _lane.Answer(_lane.Writes[0]);
        }
    }

    [Fact]
    public void A_key_alone_that_exceeds_a_limit_of_the_store_is_held_back_like_a_busy_one()
    {
        _lane.Answer(_lane.SendChange(_lane.Open("a")), WriteOutcomeKind.LimitExceeded);
        Assert.Empty(_lane.Law.Requests);

        var other = _lane.SendChange(_lane.Open("b"));

        Assert.Equal("b", other.Batch[0].Key.Text);
    }

    [Fact]
    public async Task A_busy_read_waits_alone_and_ends_at_the_time_limit()
    {
        var (busy, other) = (_lane.Fill("busy"), _lane.Fill("other"));
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], read => read.Key.Text == "busy" ? Busy() : ReadOutcome.Found(Stored, []));
        _lane.EndDeserialize(Assert.Single(_lane.Deserializing));
        Assert.Equal("other", (await CoreDriver.Over(other)).Key.Text);
        Assert.InRange(_lane.Core.WakeAt!.Value.TotalMilliseconds, 40, 50);
        Assert.Equal(StoreRequestOutcome.Answered, Assert.Single(_lane.Law.Requests).Outcome);

        while (!busy.Task.IsCompleted)
        {
            _lane.PassToWake();
            while (_lane.Reads.Count > 0)
                _lane.Answer(_lane.Reads[0], _ => Busy());
        }

        var failure = await Assert.ThrowsAsync<FillFailedException>(() => busy.Task);
        Assert.Equal(StoreErrorKind.Busy, Assert.IsType<StoreException>(failure.InnerException).Kind);
        Assert.Equal(new StoutOptions().UnreachableTimeout, _lane.Now);

        static ReadOutcome Busy() => ReadOutcome.Of(new StoreException(StoreErrorKind.Busy, "locked"));
    }

    [Fact]
    public void Draining_waits_for_a_busy_key()
    {
        _lane.Answer(_lane.SendChange(_lane.Open("a")), WriteOutcomeKind.Busy);
        _lane.Core.Stop();
        _lane.Pass();
        Assert.False(_lane.IsDrained);

        _lane.PassToWake();
        _lane.SerializeAll();
        _lane.Answer(Assert.Single(_lane.Writes));

        Assert.True(_lane.IsDrained);
    }

    /// <summary>Sends one request, and sets its outcomes: the first key is busy, and the second is committed.</summary>
    private (TestMessage Busy, TestMessage Other) SendTwo(TimeSpan? retryAfter = null)
    {
        var busy = _lane.Change(_lane.Open("busy"));
        var other = _lane.Change(_lane.Open("other"));
        _lane.Pass();
        _lane.SerializeAll();
        var request = Assert.Single(_lane.Writes);
        request.Batch.SetOutcome(0, new WriteOutcome(WriteOutcomeKind.Busy, RetryAfter: retryAfter));
        request.Batch.SetOutcome(1, new WriteOutcome(WriteOutcomeKind.Committed));
        return (busy, other);
    }
}

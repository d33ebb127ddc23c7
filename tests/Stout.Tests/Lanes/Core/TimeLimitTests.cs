using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Every caller has its answer within a bound that does not grow with the number of keys, also if the store is silent or refuses.</summary>
public sealed class TimeLimitTests
{
    private const double Patience = 30_000;

    private readonly CoreDriver _lane = new(new StoutOptions { ResolveUnknownFor = TimeSpan.FromSeconds(20) });

    [Fact]
    public void Changes_that_a_silent_store_leaves_unsent_fail_together_as_not_applied()
    {
        _lane.Law.MaxInFlight = 1;
        var sent = _lane.Change(_lane.Open("sent"));
        _lane.Pass();
        _lane.SerializeAll();
        Assert.Single(_lane.Writes);
        _lane.Law.MaxBatchKeys = 1;
        var waiting = Enumerable.Range(0, 1000).Select(i => _lane.Change(_lane.Open($"key {i}"))).ToArray();
        Serve(Patience - 1, _ => { });
        Assert.InRange(waiting.Count(message => message.IsReleased), 0, 0);
        Serve(1, _ => { });

        // A few keys were sent, each in a request of its own, to find out whether the store answers other keys.
        Assert.InRange(waiting.Count(message => message.Failure is NotAppliedException { Reason: NotAppliedReason.NotSentInTime }), 990, 999);
        Serve(15_000 + 20_000, _ => { });

        Assert.All(waiting, message => Assert.True(message.IsReleased));
        sent.FailedWith<OutcomeUnknownException>();
    }

    [Fact]
    public void An_overloaded_store_makes_no_change_wait_for_ever()
    {
        var message = _lane.Change(_lane.Open("a"));
        Serve(Patience - 1, write => _lane.Answer(write, WriteOutcomeKind.Overloaded));
        Assert.False(message.IsReleased);
        Serve(1000, write => _lane.Answer(write, WriteOutcomeKind.Overloaded));

        Assert.Equal(NotAppliedReason.NotSentInTime, message.FailedWith<NotAppliedException>().Reason);
    }

    [Fact]
    public void A_store_that_asks_to_be_left_alone_for_an_hour_makes_no_change_wait_for_it()
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Overloaded, TimeSpan.FromHours(1));
        var ready = _lane.Change(_lane.Open("b"));
        _lane.PassAsALane(Patience);

        message.FailedWith<NotAppliedException>();
        ready.FailedWith<NotAppliedException>();
    }

    [Fact]
    public void What_is_serialized_and_has_no_place_fails_in_its_time()
    {
        _lane.Law.MaxInFlight = 2;
        var sent = _lane.SendChange(_lane.Open("sent"));
        var first = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        var second = _lane.Change(_lane.Open("b"));
        _lane.PassAsALane(25);
        Assert.Equal(2, _lane.Callbacks.Count);
        _lane.Answer(sent, WriteOutcomeKind.Overloaded, TimeSpan.FromHours(1));
        _lane.SerializeAll();
        Assert.Empty(_lane.Writes);
        _lane.PassAsALane(Patience);

        first.FailedWith<NotAppliedException>();
        second.FailedWith<NotAppliedException>();
    }

    [Fact]
    public void A_callback_that_ends_after_its_keys_limit_sends_them_at_once_or_never()
    {
        var lane = new CoreDriver(new StoutOptions { CallbackTimeout = TimeSpan.FromMinutes(2) });
        var message = lane.Change(lane.Open("a"));
        lane.Pass();
        lane.PassAsALane(40_000);
        Assert.False(message.IsReleased);
        lane.SerializeAll();
        Assert.Single(lane.Writes);
        lane.Answer(lane.Writes[0], WriteOutcomeKind.Overloaded);

        message.FailedWith<NotAppliedException>();
    }

    [Fact]
    public void An_unknown_outcome_is_settled_or_fails_in_its_time_also_while_a_repeat_is_under_way()
    {
        var messages = Enumerable.Range(0, 100).Select(i => _lane.Change(_lane.Open($"key {i}"))).ToArray();
        Serve(15_000 + 19_990, _ => { });
        Assert.All(messages, message => Assert.False(message.IsReleased));
        Serve(40, _ => { });

        Assert.All(messages, message => message.FailedWith<OutcomeUnknownException>());
    }

    [Fact]
    public void A_change_behind_a_sent_one_has_its_own_time_from_then_on()
    {
        var handle = _lane.Open("a");
        var first = _lane.SendChange(handle);
        var behind = _lane.Change(handle);
        _lane.PassAsALane(14_000);
        _lane.Answer(first);
        Serve(Patience - 1, write => _lane.Answer(write, WriteOutcomeKind.Overloaded));
        Assert.False(behind.IsReleased);
        Serve(1000, write => _lane.Answer(write, WriteOutcomeKind.Overloaded));

        behind.FailedWith<NotAppliedException>();
    }

    [Fact]
    public async Task Fills_that_a_silent_store_leaves_unread_fail_together()
    {
        _lane.Law.MaxInFlight = 1;
        var sent = _lane.Fill("sent");
        _lane.Pass();
        var waiting = Enumerable.Range(0, 400).Select(i => _lane.Fill($"key {i}")).ToArray();
        _lane.PassAsALane(Patience + 15_000);

        Assert.All(waiting.Append(sent), fill => Assert.True(fill.Task.IsFaulted));
        await Assert.ThrowsAsync<FillFailedException>(() => sent.Task);
    }

    [Fact]
    public void A_drain_ends_though_the_application_goes_on_marking()
    {
        var handle = _lane.Open("a");
        _lane.Mark(handle);
        _lane.Core.Stop();
        for (var i = 0; i < 1000 && !_lane.IsDrained; i++)
        {
            Serve(1000, write =>
            {
                _lane.Mark(handle);
                _lane.Answer(write);
            });
        }

        Assert.True(_lane.IsDrained);
        Assert.InRange(_lane.Now.TotalSeconds, 100, 30 + 30 + (2 * (15 + 20)) + 1);
    }

    /// <summary>Lets time pass, with an application that serializes at once.</summary>
    private void Serve(double milliseconds, Action<WriteRequest> answer)
    {
        var end = _lane.Now + TimeSpan.FromMilliseconds(milliseconds);
        while (_lane.Now < end)
        {
            _lane.Pass();
            _lane.PassAsALane(Math.Min(20, (end - _lane.Now).TotalMilliseconds));
            _lane.SerializeAll();
            foreach (var write in _lane.Writes.ToArray())
                answer(write);
        }
    }
}

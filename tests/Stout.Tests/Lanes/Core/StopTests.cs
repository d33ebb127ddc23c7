using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Draining, and an abort, which ends a drain before all changes are durable.</summary>
public sealed class StopTests
{
    private readonly CoreDriver _lane = new();

    [Fact]
    public void A_drain_sends_everything_dirty_and_then_says_so()
    {
        var messages = Enumerable.Range(0, 3).Select(i => _lane.Change(_lane.Open($"key {i}"))).ToArray();
        _lane.Core.Stop();
        _lane.Pass();
        _lane.SerializeAll();
        Assert.False(_lane.IsDrained);

        _lane.Answer(_lane.Writes[0]);

        Assert.True(_lane.IsDrained);
        Assert.All(messages, message => Assert.True(message.IsSafe));
        _lane.Pass(1000);
        Assert.Null(_lane.Core.WakeAt);
    }

    [Fact]
    public async Task A_stopping_lane_takes_no_fill_and_lets_nobody_in()
    {
        _lane.Mark(_lane.Open("a"));
        _lane.Core.Stop();
        var caller = new AdmissionCall(changesSomething: true);
        _lane.Core.Admit(caller, _lane.Now);

        await Assert.ThrowsAsync<StoppedException>(() => CoreDriver.Over(_lane.Fill("b")));
        Assert.Equal(1, _lane.Core.GetStatistics().OpenKeys);
        await Assert.ThrowsAsync<StoppedException>(() => CoreDriver.Over(caller.Task));
    }

    [Fact]
    public async Task An_abort_ends_each_message_with_what_is_true_of_it()
    {
        var sent = _lane.Change(_lane.Open("sent"));
        _lane.Pass();
        _lane.SerializeAll();
        var unresolved = _lane.Change(_lane.Open("unresolved"));
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[1], WriteOutcomeKind.Unknown);
        var fill = _lane.Fill("read");
        _lane.PassAsALane(60);
        var serializing = _lane.Change(_lane.Open("serializing"));
        _lane.Pass();
        var dirty = _lane.Change(_lane.Open("dirty"));
        _lane.Core.Abort();
        _lane.Pass();

        sent.FailedWith<OutcomeUnknownException>();
        unresolved.FailedWith<OutcomeUnknownException>();
        Assert.Equal(NotAppliedReason.Stopped, dirty.FailedWith<NotAppliedException>().Reason);
        Assert.Equal(NotAppliedReason.Stopped, serializing.FailedWith<NotAppliedException>().Reason);
        await Assert.ThrowsAsync<StoppedException>(() => CoreDriver.Over(fill));
        Assert.True(_lane.IsDrained);
    }

    [Fact]
    public void What_an_earlier_batch_may_have_picked_up_is_unknown_not_unapplied()
    {
        var handle = _lane.Open("a");
        _lane.Mark(handle);
        _lane.Pass();
        var during = _lane.Change(handle);
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        _lane.Core.Abort();
        _lane.Pass();

        Assert.IsType<NotAppliedException>(during.FailedWith<OutcomeUnknownException>().InnerException);
    }
}

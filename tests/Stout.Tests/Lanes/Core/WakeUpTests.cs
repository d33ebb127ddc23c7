using Stout.Lanes.Shell;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Lanes.Core;

/// <summary>A lane sleeps until the core's <see cref="LaneCore.WakeAt"/>, so that must be no later than the next time for which the core waits.</summary>
public sealed class WakeUpTests
{
    private readonly CoreDriver _lane = new();

    [Fact]
    public void What_was_serialized_while_the_store_holds_the_lane_back_leaves_when_the_hold_ends()
    {
        var refused = _lane.SendChange(_lane.Open("a"));
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        _lane.Answer(refused, WriteOutcomeKind.Overloaded, TimeSpan.FromSeconds(3));
        _lane.SerializeAll();
        Assert.Empty(_lane.Writes);

        _lane.PassAsALane(3100);

        Assert.Equal("b", Assert.Single(_lane.Writes).Batch[0].Key.Text);
    }

    [Fact]
    public void What_was_fenced_while_it_waited_for_its_place_is_not_sent()
    {
        var refused = _lane.SendChange(_lane.Open("a"));
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        _lane.Answer(refused, WriteOutcomeKind.Overloaded, TimeSpan.FromSeconds(3));
        _lane.SerializeAll();
        _lane.Claim("b");
        _lane.PassAsALane(3100);
        Assert.Empty(_lane.Writes);
        Assert.Equal(0, _lane.Core.GetStatistics().RequestsInFlight);

        _lane.SerializeAll();
        Assert.Equal("a", Assert.Single(_lane.Writes).Batch[0].Key.Text);
    }

    [Fact]
    public void What_was_serialized_meanwhile_leaves_in_requests_within_the_limits()
    {
        var lane = new CoreDriver(limits: CoreDriver.Limits with { MaxBatchKeys = 3 });
        var refused = lane.SendChange(lane.Open("a"));
        for (var i = 0; i < 6; i++)
            lane.Mark(lane.Open($"key {i}"));
        lane.Pass();
        lane.Answer(refused, WriteOutcomeKind.Overloaded, TimeSpan.FromSeconds(3));
        lane.SerializeAll();

        lane.PassAsALane(3000);

        Assert.Equal([3, 3], lane.Writes.Select(w => w.Count));
    }

    [Fact]
    public void Reads_leave_at_the_end_of_their_interval_while_writes_of_the_departure_before_still_wait_for_a_place()
    {
        var lane = new CoreDriver(interval: 10);
        lane.Law.MaxInFlight = 1;
        lane.Law.MaxBatchKeys = 1;
        lane.Mark(lane.Open("a"));
        lane.Mark(lane.Open("b"));
        lane.Pass();
        lane.SerializeAll();
        Assert.Single(lane.Writes);

        lane.Fill("c");
        lane.Pass();
        lane.PassAsALane(10);

        Assert.Single(lane.Reads);
        Assert.Single(lane.Writes);
    }

    [Fact]
    public void A_change_is_given_up_in_its_time_while_the_request_that_asks_for_the_store_has_no_answer()
    {
        var lane = new CoreDriver(new StoutOptions { UnreachableTimeout = TimeSpan.FromSeconds(2) });
        lane.Answer(lane.SendChange(lane.Open("a")), WriteOutcomeKind.Unreachable);
        lane.PassAsALane(1000);
        lane.SerializeAll();
        Assert.Single(lane.Writes);
        var waiting = lane.Change(lane.Open("b"));
        lane.Pass();

        lane.PassAsALane(1999);
        Assert.False(waiting.IsReleased);
        lane.PassAsALane(1);

        waiting.FailedWith<NotAppliedException>();
    }

    [Fact]
    public void A_timer_that_rings_early_is_set_again()
    {
        var time = new EarlyTime();
        var fires = 0;
        using var clock = new LaneClock(time, () => fires++);
        var due = clock.Now + TimeSpan.FromMilliseconds(10);
        clock.WakeAt(due);
        time.FireEarly();
        clock.HasFired();
        Assert.Equal(1, fires);

        clock.WakeAt(due);
        time.Advance(due - clock.Now);

        Assert.Equal(2, fires);
    }
}

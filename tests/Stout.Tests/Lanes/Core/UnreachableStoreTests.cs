using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>A store that can't be reached: requests that are repeated, that wait, and that are given up.</summary>
public sealed class UnreachableStoreTests
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly CoreDriver _lane = new();

    [Fact]
    public void A_store_that_cannot_be_reached_is_asked_by_one_request_at_a_time()
    {
        _lane.Law.MaxBatchKeys = 1;
        for (var i = 0; i < 3; i++)
            _lane.Mark(_lane.Open($"key {i}"));
        _lane.Pass();
        _lane.SerializeAll();
        Assert.Equal(3, _lane.Writes.Count);
        while (_lane.Writes.Count > 0)
            _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Unreachable);
        Assert.True(_lane.Core.GetStatistics().StoreFailing);

        _lane.PassAsALane(2000);
        _lane.SerializeAll();
        var probe = Assert.Single(_lane.Writes);
        _lane.Answer(probe);
        _lane.SerializeAll();

        Assert.Equal(2, _lane.Writes.Count);
        Assert.False(_lane.Core.GetStatistics().StoreFailing);
    }

    [Fact]
    public void Changes_wait_for_a_store_that_cannot_be_reached_as_long_as_the_options_say_and_no_longer()
    {
        var message = _lane.Change(_lane.Open("a"));
        var begun = _lane.Now;
        while (!message.IsReleased && _lane.Now - begun < 60 * Second)
        {
            _lane.Pass();
            _lane.SerializeAll();
            if (_lane.Writes.Count > 0)
                _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Unreachable);
            if (!message.IsReleased)
                _lane.PassToWake();
        }

        Assert.InRange(_lane.Now - begun, 30 * Second, 32 * Second);
        Assert.Equal(NotAppliedReason.StoreUnreachable, message.FailedWith<NotAppliedException>().Reason);
    }

    [Fact]
    public void Who_gives_up_tells_what_the_store_said()
    {
        var lane = new CoreDriver(new StoutOptions { UnreachableTimeout = TimeSpan.Zero });
        var message = lane.Change(lane.Open("a"));
        lane.Mark(lane.Open("b"));
        lane.Pass();
        lane.SerializeAll();
        var down = new StoreException(StoreErrorKind.Unreachable, "down");
        lane.Writes[0].Batch.SetOutcome(0, WriteOutcome.Of(down));
        lane.Writes[0].Batch.SetOutcome(1, WriteOutcome.Of(new StoreException(StoreErrorKind.Unreachable, "for the same reason")));
        lane.Answered(lane.Writes[0]);

        Assert.Same(down, message.FailedWith<NotAppliedException>().InnerException);
    }

    [Fact]
    public void A_change_made_during_an_outage_has_its_own_time()
    {
        var first = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        Outage(10 * Second);
        var second = _lane.Change(_lane.Open("b"));
        _lane.Pass();

        Outage(22 * Second);
        first.FailedWith<NotAppliedException>();
        Outage(7 * Second);
        Assert.False(second.IsReleased);
        Outage(3 * Second);

        second.FailedWith<NotAppliedException>();
    }

    [Fact]
    public void A_newer_change_that_is_refused_later_does_not_lengthen_an_older_ones_time()
    {
        var older = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Unreachable);
        _lane.PassToWake();
        var slow = Assert.Single(_lane.Callbacks);
        _lane.PassAsALane(10_000);
        var newer = _lane.Change(_lane.Open("b"));
        _lane.Pass();
        CoreDriver.WriteAsked(slow[0]);
        _lane.EndCallback(slow);
        Refuse("a");
        Refuse("b");

        Outage(21 * Second);
        older.FailedWith<NotAppliedException>();
        Assert.False(newer.IsReleased);

        // Lets time pass until the lane sends the key's request, and answers that as unreachable.
        void Refuse(string key)
        {
            while (_lane.Writes.Count == 0)
            {
                _lane.PassToWake();
                _lane.SerializeAll();
            }

            var write = Assert.Single(_lane.Writes);
            Assert.Equal(key, Assert.Single(Enumerable.Range(0, write.Batch.Count).Select(i => write.Batch[i].Key.Text)));
            _lane.Answer(write, WriteOutcomeKind.Unreachable);
        }
    }

    [Fact]
    public void A_lane_that_gives_up_at_once_still_finds_out_that_the_store_is_back()
    {
        var lane = new CoreDriver(new StoutOptions { UnreachableTimeout = TimeSpan.Zero });
        var lost = lane.Change(lane.Open("a"));
        lane.Pass();
        lane.SerializeAll();
        lane.Answer(lane.Writes[0], WriteOutcomeKind.Unreachable);
        lost.FailedWith<NotAppliedException>();
        lane.Pass(5000);

        var message = lane.Change(lane.Open("a"));
        lane.Pass();
        lane.SerializeAll();
        lane.Answer(Assert.Single(lane.Writes));

        Assert.True(message.IsSafe);
    }

    private void Outage(TimeSpan time)
    {
        for (var end = _lane.Now + time; _lane.Now < end;)
        {
            _lane.PassAsALane(1000);
            _lane.SerializeAll();
            foreach (var request in _lane.Writes.ToArray())
                _lane.Answer(request, WriteOutcomeKind.Unreachable);
        }
    }
}

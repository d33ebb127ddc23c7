using Stout.Pacing;
using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>The departures of batches, and the lane's reports of them to the law.</summary>
public sealed class PacingOfALaneTests
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(20);

    private readonly CoreDriver _lane = new(interval: 20);

    [Fact]
    public void The_interval_is_counted_from_the_last_send()
    {
        var handle = _lane.Open("a");
        _lane.Answer(_lane.SendChange(handle));
        _lane.PassAsALane(5);
        _lane.Mark(handle);
        _lane.Pass();
        _lane.PassAsALane(14);
        Assert.Empty(_lane.Callbacks);

        _lane.PassAsALane(1);

        Assert.Single(_lane.Callbacks);
        Assert.Equal([TimeSpan.Zero, Interval], _lane.Law.Departures.Select(d => d.At));
    }

    [Fact]
    public void What_came_after_the_interval_was_over_is_told_as_the_applications_own_slowness()
    {
        var handle = _lane.Open("a");
        _lane.Answer(_lane.SendChange(handle));
        _lane.Pass(5);
        _lane.Mark(handle);
        _lane.Pass();
        _lane.Pass(15);
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        _lane.Pass(100);
        _lane.Answer(_lane.SendChange(handle));

        Assert.Equal([true, false, true], _lane.Law.Departures.Select(d => d.ApplicationLimited));
        Assert.Equal([20, 20, 100], _lane.Law.Departures.Select(d => d.Interval.TotalMilliseconds));
        Assert.Equal([true, false, true], _lane.Law.Requests.Select(r => r.ApplicationLimited));
    }

    [Fact]
    public void Work_that_came_in_time_stays_so_however_often_the_lane_looks()
    {
        var handle = _lane.Open("a");
        _lane.Answer(_lane.SendChange(handle));
        _lane.Pass(5);
        _lane.Mark(handle);
        _lane.Pass();
        _lane.Law.MaxInFlight = 1;
        _lane.Mark(_lane.Open("b"));
        _lane.Pass(10);
        _lane.Pass(5);

        Assert.Equal([true, false], _lane.Law.Departures.Select(d => d.ApplicationLimited));
    }

    [Fact]
    public void The_law_is_told_of_every_write()
    {
        var a = _lane.Open("a");
        _lane.Mark(a, "x");
        _lane.Mark(a, "y");
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        _lane.Pass(3);
        _lane.SerializeAll(bytes: 7);
        _lane.Pass(4);
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Overloaded, TimeSpan.FromSeconds(2));

        Assert.Equal(
            new StoreRequest
            {
                Kind = StoreRequestKind.Write,
                Operations = 2,
                Bytes = 21,
                SentAt = TimeSpan.FromMilliseconds(3),
                AnsweredAt = TimeSpan.FromMilliseconds(7),
                Outcome = StoreRequestOutcome.Overloaded,
                RetryAfter = TimeSpan.FromSeconds(2),
                Interval = Interval,
                ApplicationLimited = true,
            },
            Assert.Single(_lane.Law.Requests));
    }

    [Fact]
    public void The_law_is_told_of_every_read()
    {
        _lane.Fill("a");
        _lane.Fill("b");
        _lane.Pass();
        _lane.Pass(4);
        _lane.Answer(_lane.Reads[0], read => ReadOutcome.Found(new Stamp(0, Guid.NewGuid(), 1), [new StoredPart(SubKey.Root, new byte[9])]));

        var request = Assert.Single(_lane.Law.Requests);
        Assert.Equal((StoreRequestKind.Read, 2, 18L), (request.Kind, request.Operations, request.Bytes));
        Assert.Equal(TimeSpan.FromMilliseconds(4), request.Latency);
    }

    [Fact]
    public void A_read_belongs_to_the_departure_that_it_leaves_with()
    {
        _lane.Answer(_lane.SendChange(_lane.Open("a")));
        _lane.Pass(5);
        _lane.Fill("b");
        _lane.Pass();
        _lane.Pass(25);
        _lane.Pass(4);
        _lane.Answer(_lane.Reads[0], read => ReadOutcome.NotFound(Stamp.Absent));

        var request = _lane.Law.Requests[^1];
        Assert.Equal((30, 34), (request.SentAt.TotalMilliseconds, request.AnsweredAt.TotalMilliseconds));
        Assert.Equal(30, request.Interval.TotalMilliseconds);
        Assert.False(request.ApplicationLimited);
        Assert.Equal([true, false], _lane.Law.Departures.Select(d => d.ApplicationLimited));
    }

    [Fact]
    public void The_law_is_told_of_every_attempt_without_the_waits_between_them()
    {
        _lane.Answer(_lane.SendChange(_lane.Open("a")), WriteOutcomeKind.Unknown);
        _lane.PassAsALane(100);
        _lane.Pass(2);
        _lane.Answer(_lane.Writes[0]);

        Assert.Equal([StoreRequestOutcome.Unknown, StoreRequestOutcome.Answered], _lane.Law.Requests.Select(r => r.Outcome));
        Assert.True(_lane.Law.Requests[1].Latency < TimeSpan.FromMilliseconds(70));
    }

    [Fact]
    public void An_outage_is_no_part_of_the_interval_that_the_law_is_told()
    {
        var handle = _lane.Open("a");
        _lane.Answer(_lane.SendChange(handle), WriteOutcomeKind.Overloaded, TimeSpan.FromSeconds(5));
        _lane.PassAsALane(5000);
        _lane.SerializeAll();

        Assert.Equal([20, 20], _lane.Law.Departures.Select(d => d.Interval.TotalMilliseconds));
    }

    [Fact]
    public void As_many_requests_are_in_flight_as_the_law_allows()
    {
        _lane.Law.MaxInFlight = 2;
        _lane.Law.MaxBatchKeys = 3;
        MarkKeys(10);
        _lane.Pass();
        _lane.SerializeAll();
        Assert.Equal([3, 3], _lane.Writes.Select(w => w.Count));

        _lane.Answer(_lane.Writes[0]);
        _lane.SerializeAll();

        Assert.Equal([3, 3], _lane.Writes.Select(w => w.Count));
        Assert.Single(_lane.Law.Departures);
    }

    [Fact]
    public void The_law_is_told_how_many_keys_are_to_leave_and_may_say_then_in_how_many_requests()
    {
        _lane.Law.OnDeparture = departure => _lane.Law.MaxBatchKeys = departure.Keys / 2;
        MarkKeys(10);
        _lane.Pass();
        _lane.SerializeAll();

        Assert.Equal([10], _lane.Law.Departures.Select(d => d.Keys));
        Assert.Equal([5, 5], _lane.Writes.Select(w => w.Count));
    }

    [Fact]
    public void Statistics_tell_what_kept_a_batch_and_that_nothing_does_where_the_lane_is_idle()
    {
        var handle = _lane.Open("a");
        var first = _lane.SendChange(handle);
        Assert.Equal(PacingLimit.None, Limit()); // The batch left at once.

        _lane.Law.MaxInFlight = 1;
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        _lane.Pass(30);
        _lane.Answer(first);
        Assert.Equal(PacingLimit.InFlight, Limit());

        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        Assert.Equal(PacingLimit.None, Limit()); // nothing to send

        _lane.Mark(handle);
        _lane.Pass();
        _lane.PassAsALane(20);
        Assert.Equal(PacingLimit.Interval, Limit());
        _lane.SerializeAll();

        _lane.Law.Phase = PacingPhase.Refused;
        _lane.Answer(_lane.Writes[0]);
        _lane.Mark(handle);
        _lane.Pass();
        _lane.PassAsALane(20);
        Assert.Equal((PacingLimit.Refusals, PacingPhase.Refused), (Limit(), _lane.Core.GetStatistics().Phase));

        PacingLimit Limit() => _lane.Core.GetStatistics().Limit;
    }

    [Fact]
    public void At_most_four_prompt_callbacks_run_side_by_side_and_a_slow_one_gives_its_place_back()
    {
        _lane.Law.MaxBatchKeys = 1;
        MarkKeys(10);
        _lane.Pass();
        Assert.Equal(4, _lane.Callbacks.Count);

        _lane.PassAsALane(20);
        Assert.Equal(8, _lane.Callbacks.Count);

        // A slow callback has given its place back already, so its end starts no further callback.
        _lane.Serialize(_lane.Callbacks[0]);
        Assert.Equal(7, _lane.Callbacks.Count);
        _lane.Serialize(_lane.Callbacks[^1]);
        Assert.Equal(7, _lane.Callbacks.Count);
    }

    [Fact]
    public void A_callback_takes_the_place_of_the_request_that_it_will_become()
    {
        _lane.Law.MaxInFlight = 2;
        _lane.Law.MaxBatchKeys = 1;
        MarkKeys(4);
        _lane.Pass();
        Assert.Equal(2, _lane.Callbacks.Count);

        _lane.Serialize(_lane.Callbacks[0]);
        Assert.Equal((1, 1), (_lane.Callbacks.Count, _lane.Writes.Count));
        _lane.Serialize(_lane.Callbacks[0]);
        Assert.Equal((0, 2), (_lane.Callbacks.Count, _lane.Writes.Count));
    }

    [Fact]
    public void A_lane_keeps_to_what_the_law_said_last()
    {
        var handle = _lane.Open("a");
        _lane.Law.Interval = TimeSpan.FromMilliseconds(50);
        var request = _lane.SendChange(handle);
        Assert.Equal(50, _lane.Core.GetStatistics().Interval.TotalMilliseconds);

        _lane.Law.Interval = TimeSpan.FromMilliseconds(30);
        _lane.Answer(request);
        Assert.Equal(30, _lane.Core.GetStatistics().Interval.TotalMilliseconds);
        _lane.Mark(handle);
        _lane.Pass();
        _lane.PassAsALane(29);
        Assert.Empty(_lane.Callbacks);
        _lane.PassAsALane(1);
        Assert.Single(_lane.Callbacks);
    }

    [Fact]
    public void What_becomes_dirty_after_a_departure_waits_for_the_next()
    {
        _lane.Law.MaxInFlight = 1;
        _lane.Law.MaxBatchKeys = 1;
        _lane.Mark(_lane.Open("a"));
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Mark(_lane.Open("late"));
        _lane.Answer(_lane.Writes[0]);
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        Assert.Empty(_lane.Callbacks);

        _lane.PassAsALane(20);
        Assert.Single(_lane.Callbacks);
    }

    [Fact]
    public void A_law_that_allows_nothing_is_taken_to_allow_one()
    {
        _lane.Law.MaxInFlight = 0;
        _lane.Law.MaxBatchKeys = -1;
        _lane.Mark(_lane.Open("a"));
        _lane.Mark(_lane.Open("b"));
        _lane.Pass();
        _lane.SerializeAll();

        Assert.Equal(1, Assert.Single(_lane.Writes).Count);
    }

    [Fact]
    public void Reads_are_split_by_keys_and_keep_to_the_requests_in_flight()
    {
        var lane = new CoreDriver(limits: CoreDriver.Limits with { MaxBatchKeys = 3 });
        lane.Law.MaxInFlight = 2;
        for (var i = 0; i < 8; i++)
            lane.Fill($"key {i}");
        lane.Pass();
        lane.Pass();
        Assert.Equal([3, 3], lane.Reads.Select(r => r.Batch.Count));
        Assert.Single(lane.Law.Departures);

        lane.Answer(lane.Reads[0], _ => ReadOutcome.NotFound(Stamp.Absent));

        Assert.Equal([3, 2], lane.Reads.Select(r => r.Batch.Count));
    }

    [Fact]
    public void Reads_that_a_law_does_not_pace_leave_at_once_and_gather_while_others_are_under_way()
    {
        _lane.Law.PacesReads = false;
        _lane.Answer(_lane.SendChange(_lane.Open("a")));
        _lane.Law.MaxInFlight = 1;
        _lane.Pass(5);
        _lane.Fill("b");
        _lane.Pass();
        Assert.Equal(1, Assert.Single(_lane.Reads).Batch.Count);

        _lane.Fill("c");
        _lane.Fill("d");
        _lane.Pass();
        Assert.Single(_lane.Reads);
        _lane.Pass(4);
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.NotFound(Stamp.Absent));
        _lane.Pass();

        Assert.Equal(2, Assert.Single(_lane.Reads).Batch.Count);
        var read = _lane.Law.Requests[^1];
        Assert.Equal((5, 9), (read.SentAt.TotalMilliseconds, read.AnsweredAt.TotalMilliseconds));
        Assert.Equal((TimeSpan.Zero, true), (read.Interval, read.ApplicationLimited));
        Assert.Single(_lane.Law.Departures);
    }

    [Fact]
    public void Reads_that_a_law_does_not_pace_are_not_work_that_a_batch_has_waited_with()
    {
        _lane.Law.PacesReads = false;
        var handle = _lane.Open("a");
        _lane.Answer(_lane.SendChange(handle));
        _lane.Law.MaxInFlight = 1;
        _lane.Fill("b");
        _lane.Fill("c");
        _lane.Pass();
        _lane.Pass(50);
        _lane.SendChange(handle);

        Assert.True(_lane.Law.Departures[^1].ApplicationLimited);
    }

    [Fact]
    public void Reads_that_a_law_does_not_pace_leave_a_store_alone_that_asks_for_it()
    {
        _lane.Law.PacesReads = false;
        _lane.Fill("a");
        _lane.Pass();
        _lane.Answer(_lane.Reads[0], _ => ReadOutcome.Of(new StoreException(StoreErrorKind.Overloaded, "busy") { RetryAfter = TimeSpan.FromSeconds(2) }));
        _lane.Pass();
        Assert.Empty(_lane.Reads);

        _lane.PassToWake();

        Assert.Single(_lane.Reads);
        Assert.Equal(2, _lane.Now.TotalSeconds, 0.1);
    }

    private void MarkKeys(int count)
    {
        for (var i = 0; i < count; i++)
            _lane.Mark(_lane.Open($"key {i}"));
    }
}

using Microsoft.Extensions.Time.Testing;
using System.Diagnostics;
using Stout.Diagnostics;
using Stout.Lanes.Shell;
using Stout.Storage;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.Tests.Lanes.Core;

/// <summary>A lane's calls to its listeners, and their order. The resulting telemetry is tested with a whole client.</summary>
public sealed class TelemetryTests : IDisposable
{
    private readonly Listening _meter = new();
    private readonly RecordingLog _log = new();

    [Fact]
    public void Callers_are_held_back_while_too_much_is_undurable_and_turned_away_by_a_lane_that_stops()
    {
        var lane = Lane(new StoutOptions { MaxDirtyKeys = 1 });
        lane.Core.Admit(new AdmissionCall(changesSomething: true), lane.Now);
        lane.Pass();
        Assert.Empty(_meter.Values(Instruments.CallersHeldBack));

        lane.Mark(lane.Open("a"));
        lane.Core.Admit(new AdmissionCall(changesSomething: true), lane.Now);
        Assert.Single(_meter.Values(Instruments.CallersHeldBack));
        lane.Core.Stop();
        lane.Core.Admit(new AdmissionCall(changesSomething: true), lane.Now);

        Assert.Single(_meter.Values(Instruments.CallersHeldBack));
    }

    [Fact]
    public void Overload_begins_when_the_door_closes_and_ends_when_it_opens()
    {
        var lane = Lane(new StoutOptions { MaxDirtyKeys = 1 });
        lane.Mark(lane.Open("a"));
        lane.Pass();
        Assert.Single(_log.Of(StoutLogEvents.OverloadBegun));
        Assert.Empty(_log.Of(StoutLogEvents.OverloadEnded));

        lane.SerializeAll();
        lane.Answer(lane.Writes[0]);

        Assert.Single(_log.Of(StoutLogEvents.OverloadEnded));
    }

    [Fact]
    public void A_lane_that_stops_is_not_overloaded()
    {
        var lane = Lane();
        lane.Core.Stop();
        lane.Pass();

        Assert.Empty(_log.Entries);
    }

    [Fact]
    public void Each_key_that_fails_is_told()
    {
        var lane = Lane();
        var (a, b) = (lane.Open("a"), lane.Open("b"));
        lane.Mark(a);
        lane.Mark(b);
        lane.Pass();
        lane.SerializeAll();
        lane.Answer(lane.Writes[0], WriteOutcomeKind.Conflict);

        Assert.Equal(2, _meter.Values(Instruments.KeysFailed).Count);
        Assert.Equal(2, _log.Of(StoutLogEvents.KeyFailed).Count());
    }

    [Fact]
    public void A_serialize_callback_is_told_as_slow_and_then_as_hung()
    {
        var lane = Lane();
        lane.Mark(lane.Open("a"));
        lane.Pass();
        lane.PassAsALane(20);
        Assert.Single(_log.Of(StoutLogEvents.CallbackSlow));
        Assert.Empty(_log.Of(StoutLogEvents.CallbackHung));

        lane.PassAsALane(30_000);

        Assert.Single(_log.Of(StoutLogEvents.CallbackSlow));
        Assert.Single(_log.Of(StoutLogEvents.CallbackHung));
        Assert.Equal(2, _meter.Values(Instruments.SlowCallbacks).Count);
    }

    [Fact]
    public void Each_request_is_told_with_its_outcome_and_what_the_law_makes_of_it()
    {
        var lane = Lane();
        lane.Law.OnAnswer = () => lane.Law.Interval = TimeSpan.FromMilliseconds(10);
        lane.Answer(lane.SendChange(lane.Open("a")), WriteOutcomeKind.Overloaded);

        Assert.Equal([1.0], _meter.Values(Instruments.BatchKeys));
        Assert.Single(_meter.Values(Instruments.RequestDuration, Tags.Outcome, "overloaded"));
        Assert.Single(_meter.Values(Instruments.Decisions, Tags.Decision, "back_off"));
        Assert.Single(_log.Of(StoutLogEvents.StoreOverloaded));
    }

    [Fact]
    public void The_span_of_a_request_ends_when_its_answer_is_no_longer_waited_for()
    {
        var lane = Lane();
        using var span = new Activity("write").Start();
        lane.SendChange(lane.Open("a")).Span = span;

        lane.PassAsALane(15_000);

        Assert.True(span.IsStopped);
        Assert.Equal(ActivityStatusCode.Error, span.Status);
    }

    [Fact]
    public void Who_has_changed_a_key_goes_with_the_batch_that_carries_the_change()
    {
        var lane = Lane();
        var handle = lane.Open("a");
        lane.Mark(handle);
        var (first, second) = (Caller(), Caller());
        var callers = handle.Work!.Callers = new CallerSpans();
        callers.Add(first, toDirty: true);
        lane.Pass();
        Assert.Equal([first], callers.Carried);

        // The changes that the store has not taken leave with the next batch, together with the new ones.
        lane.SerializeAll();
        lane.Mark(handle);
        callers.Add(second, toDirty: true);
        lane.Answer(lane.Writes[0], WriteOutcomeKind.Overloaded);
        Assert.Empty(callers.Carried);
        lane.PassAsALane(100);
        Assert.Equal([first, second], callers.Carried);
        lane.SerializeAll();
        lane.Answer(lane.Writes[0]);

        // The key's next change has callers of its own.
        lane.Mark(handle);
        Assert.Null(handle.Work.Callers);
    }

    public void Dispose() => _meter.Dispose();

    private static ActivityContext Caller() =>
        new(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);

    private CoreDriver Lane(StoutOptions? options = null) =>
        new(options, telemetry: new LaneTelemetry(StoutMeter.Of(_meter), new LaneLog(_log, "client", 0, new FakeTimeProvider()), "client", 0));
}

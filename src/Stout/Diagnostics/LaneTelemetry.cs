using System.Diagnostics;
using Stout.Lanes.Core;
using Stout.Pacing;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.Diagnostics;

/// <summary>
/// One lane's metrics, traces and logs. Without a listener each call only checks a flag. Exceptions of listeners are caught, so that they cannot stop
/// the lane.
/// </summary>
internal sealed class LaneTelemetry(StoutMeter meter, LaneLog log, string client, int partition)
{
    private readonly KeyValuePair<string, object?>[] _tags = [new(StoutTelemetry.Tags.Client, client), new(StoutTelemetry.Tags.Partition, partition)];
    private Func<StoutStatistics>? _statistics;

    /// <summary>The tags of every measurement of this lane.</summary>
    public KeyValuePair<string, object?>[] Tags => _tags;

    public StoutStatistics Statistics => _statistics?.Invoke() ?? default;

    /// <summary>Adds the lane to the observable instruments.</summary>
    public void Begin(Func<StoutStatistics> statistics)
    {
        _statistics = statistics;
        meter.Add(this);
    }

    /// <summary>Removes the lane from the observable instruments.</summary>
    public void End() => meter.Remove(this);

    /// <summary>Records the end of a store request, and whether the pacing law has then changed the batching interval.</summary>
    public void RequestAnswered(in StoreRequest request, Exception? error, TimeSpan intervalBefore, TimeSpan intervalAfter)
    {
        log.RequestAnswered(request.Outcome, error);
        try
        {
            if (meter.RequestDuration.Enabled)
                meter.RequestDuration.Record(request.Latency.TotalSeconds, WithOutcome(request.Kind, request.Outcome));
            if (request.Kind == StoreRequestKind.Write)
            {
                if (meter.BatchKeys.Enabled)
                    meter.BatchKeys.Record(request.Operations, _tags);
                if (meter.BatchSize.Enabled)
                    meter.BatchSize.Record(request.Bytes, _tags);
            }

            if (intervalAfter != intervalBefore && meter.Decisions.Enabled)
                meter.Decisions.Add(1, With(StoutTelemetry.Tags.Decision, intervalAfter > intervalBefore ? "back_off" : "accelerate"));
        }
        catch (Exception)
        {
            // A listener's exception must not stop the lane.
        }
    }

    /// <summary>Records the failure of a key.</summary>
    public void KeyFailed(PartitionKey key, StoutException failure)
    {
        log.KeyFailed(key, failure);
        if (meter.KeysFailed.Enabled)
            Count(meter.KeysFailed, StoutTelemetry.Tags.ErrorType, TelemetryNames.Of(failure));
    }

    /// <summary>Records whether new callers are admitted without waiting.</summary>
    public void AdmissionIs(bool open, LaneCore core) => log.AdmissionIs(open, core);

    /// <summary>Records a caller that has to wait or is refused.</summary>
    public void CallerHeldBack()
    {
        if (meter.CallersHeldBack.Enabled)
            Count(meter.CallersHeldBack);
    }

    /// <summary>Records an exception of the application's message callback.</summary>
    public void CallbackThrew(Exception error)
    {
        log.CallbackThrew(error);
        if (meter.CallbackErrors.Enabled)
            Count(meter.CallbackErrors, StoutTelemetry.Tags.ErrorType, error.GetType().FullName!);
    }

    /// <summary>Records a slow Serialize callback.</summary>
    public void CallbackIsSlow(int keys)
    {
        log.CallbackIsSlow(keys);
        if (meter.SlowCallbacks.Enabled)
            Count(meter.SlowCallbacks, StoutTelemetry.Tags.CallbackOutcome, "slow");
    }

    /// <summary>Records a Serialize callback that exceeded its time limit.</summary>
    public void CallbackHangs(int keys)
    {
        log.CallbackHangs(keys);
        if (meter.SlowCallbacks.Enabled)
            Count(meter.SlowCallbacks, StoutTelemetry.Tags.CallbackOutcome, "hung");
    }

    /// <summary>Starts the span of a write request.</summary>
    public void WriteLeaves(WriteRequest request)
    {
        if (BatchSpan.IsListenedTo)
            request.Span = BatchSpan.Begin(request, _tags);
    }

    /// <summary>Ends the span of an answered write request.</summary>
    public static void WriteReturns(WriteRequest request)
    {
        if (request.Span is not null)
            BatchSpan.End(request);
    }

    /// <summary>Ends the span of an abandoned write request.</summary>
    public static void WriteIsGivenUp(WriteRequest request)
    {
        if (request.Span is not null)
            BatchSpan.GiveUp(request);
    }

    private void Count(System.Diagnostics.Metrics.Counter<long> counter, string? tag = null, string? value = null)
    {
        try
        {
            counter.Add(1, tag is null ? new TagList(_tags) : With(tag, value));
        }
        catch (Exception)
        {
            // A listener's exception must not stop the lane.
        }
    }

    private TagList With(string tag, string? value) => new(_tags) { { tag, value } };

    private TagList WithOutcome(StoreRequestKind kind, StoreRequestOutcome outcome)
    {
        var tags = With(StoutTelemetry.Tags.Operation, TelemetryNames.Of(kind));
        tags.Add(StoutTelemetry.Tags.Outcome, TelemetryNames.Of(outcome));
        if (outcome != StoreRequestOutcome.Answered)
            tags.Add(StoutTelemetry.Tags.ErrorType, TelemetryNames.Of(outcome));
        return tags;
    }
}

using System.Diagnostics;
using Stout.Lanes;
using Stout.Pacing;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.Diagnostics;

/// <summary>
/// What one lane tells of itself, in the lane's words. Without a listener a call costs a look at a flag. Whatever a listener
/// throws ends here: it is not the lane's fault, and must not stop it.
/// </summary>
internal sealed class LaneTelemetry(StoutMeter meter, LaneLog log, string client, int partition)
{
    private readonly KeyValuePair<string, object?>[] _tags = [new(StoutTelemetry.Tags.Client, client), new(StoutTelemetry.Tags.Partition, partition)];
    private Func<StoutStatistics>? _statistics;

    /// <summary>The tags of every measurement.</summary>
    public KeyValuePair<string, object?>[] Tags => _tags;

    public StoutStatistics Statistics => _statistics?.Invoke() ?? default;

    /// <summary>Begins to show the lane's figures.</summary>
    public void Begin(Func<StoutStatistics> statistics)
    {
        _statistics = statistics;
        meter.Add(this);
    }

    /// <summary>Shows them no longer.</summary>
    public void End() => meter.Remove(this);

    /// <summary>A store request has been answered, or given up, and the law has decided.</summary>
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
            // A listener's.
        }
    }

    /// <summary>A key has failed for good.</summary>
    public void KeyFailed(PartitionKey key, StoutException failure)
    {
        log.KeyFailed(key, failure);
        if (meter.KeysFailed.Enabled)
            Count(meter.KeysFailed, StoutTelemetry.Tags.ErrorType, TelemetryNames.Of(failure));
    }

    /// <summary>Callers come in at once, or no longer do.</summary>
    public void AdmissionIs(bool open, LaneCore core) => log.AdmissionIs(open, core);

    /// <summary>A caller has been held back or refused.</summary>
    public void CallerHeldBack()
    {
        if (meter.CallersHeldBack.Enabled)
            Count(meter.CallersHeldBack);
    }

    /// <summary>The application's message callback has thrown.</summary>
    public void CallbackThrew(Exception error)
    {
        log.CallbackThrew(error);
        if (meter.CallbackErrors.Enabled)
            Count(meter.CallbackErrors, StoutTelemetry.Tags.ErrorType, error.GetType().FullName!);
    }

    /// <summary>A Serialize callback takes long.</summary>
    public void CallbackIsSlow(int keys)
    {
        log.CallbackIsSlow(keys);
        if (meter.SlowCallbacks.Enabled)
            Count(meter.SlowCallbacks, StoutTelemetry.Tags.CallbackOutcome, "slow");
    }

    /// <summary>A Serialize callback has been given up.</summary>
    public void CallbackHangs(int keys)
    {
        log.CallbackHangs(keys);
        if (meter.SlowCallbacks.Enabled)
            Count(meter.SlowCallbacks, StoutTelemetry.Tags.CallbackOutcome, "hung");
    }

    /// <summary>A write request leaves: begins its span.</summary>
    public void WriteLeaves(WriteRequest request)
    {
        if (BatchSpan.IsListenedTo)
            request.Span = BatchSpan.Begin(request, _tags);
    }

    /// <summary>The store has answered a write request.</summary>
    public static void WriteReturns(WriteRequest request)
    {
        if (request.Span is not null)
            BatchSpan.End(request);
    }

    /// <summary>A write request's answer is no longer waited for.</summary>
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
            // A listener's.
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

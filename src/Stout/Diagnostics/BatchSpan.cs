using System.Diagnostics;
using Stout.Lanes.Core;
using Stout.Pacing;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.Diagnostics;

/// <summary>The span of a write request. A request serves many callers, so its span has no parent, and links to the callers' spans.</summary>
internal static class BatchSpan
{
    private static readonly ActivitySource Source = new(ActivitySourceName, typeof(BatchSpan).Assembly.GetName().Version?.ToString(3));

    /// <summary>Whether a listener traces batches, so that callers' spans have to be recorded.</summary>
    public static bool IsListenedTo => Source.HasListeners();

    /// <summary>Starts the span of a request. Spans of the proxy become its children.</summary>
    public static Activity? Begin(WriteRequest request, KeyValuePair<string, object?>[] tags)
    {
        try
        {
            var span = Source.StartActivity(
                ActivityKind.Client,
                parentContext: default,
                [
                    .. tags,
                    new(Tags.Operation, TelemetryNames.Of(StoreRequestKind.Write)),
                    new(Tags.BatchBytes, request.Batch.Bytes),
                ],
                Links(request),
                name: WriteActivityName);
            if (request.Count > 1)
                span?.SetTag(Tags.BatchSize, request.Count);
            if (request.UnknownAttempts > 0)
                span?.SetTag(Tags.Attempt, request.UnknownAttempts + 1);
            return span;
        }
        catch (Exception)
        {
            return null; // A listener's exception must not stop the lane.
        }
    }

    /// <summary>Ends the span with the outcomes of the request's keys.</summary>
    public static void End(WriteRequest request)
    {
        if (request.TakeSpan() is not { } span)
            return;
        var answer = new AnswerSummary();
        for (var i = 0; i < request.Batch.Count; i++)
            answer.Add(request.Batch.OutcomeOf(i));
        End(span, answer.Outcome, answer.Error);
    }

    /// <summary>Ends the span of an abandoned request.</summary>
    public static void GiveUp(WriteRequest request)
    {
        if (request.TakeSpan() is { } span)
            End(span, StoreRequestOutcome.Unknown, StoreErrors.TimedOut());
    }

    private static void End(Activity span, StoreRequestOutcome outcome, Exception? error)
    {
        try
        {
            span.SetTag(Tags.Outcome, TelemetryNames.Of(outcome));
            if (outcome != StoreRequestOutcome.Answered)
            {
                span.SetTag(Tags.ErrorType, TelemetryNames.Of(outcome));
                span.SetStatus(ActivityStatusCode.Error, error?.Message);
            }

            span.Dispose();
        }
        catch (Exception)
        {
            // A listener's exception must not stop the lane.
        }
    }

    private static List<ActivityLink> Links(WriteRequest request)
    {
        var links = new List<ActivityLink>();
        var known = new HashSet<ActivityContext>();
        for (var i = 0; i < request.Count && links.Count < MaxLinks; i++)
        {
            if (request[i].Callers is not { } callers)
                continue;
            foreach (var caller in callers.Carried)
            {
                if (links.Count < MaxLinks && known.Add(caller))
                    links.Add(new ActivityLink(caller));
            }
        }

        return links;
    }
}

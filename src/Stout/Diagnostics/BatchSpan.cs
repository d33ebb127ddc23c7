using System.Diagnostics;
using Stout.Lanes;
using Stout.Pacing;
using static Stout.Diagnostics.StoutTelemetry;

namespace Stout.Diagnostics;

/// <summary>The span of a write request. It has many callers and so no parent: it links to their spans.</summary>
internal static class BatchSpan
{
    private static readonly ActivitySource Source = new(ActivitySourceName, typeof(BatchSpan).Assembly.GetName().Version?.ToString(3));

    /// <summary>Whether a listener traces batches, so that callers have to be noted.</summary>
    public static bool IsListenedTo => Source.HasListeners();

    /// <summary>Begins the span of a request that leaves. What the proxy traces becomes its child.</summary>
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
            return null; // A listener's fault is not the lane's.
        }
    }

    /// <summary>Ends the span by the outcomes of the request's keys.</summary>
    public static void End(WriteRequest request)
    {
        if (request.TakeSpan() is not { } span)
            return;
        var answer = new AnswerSummary();
        for (var i = 0; i < request.Batch.Count; i++)
            answer.Add(request.Batch.OutcomeOf(i));
        End(span, answer.Outcome, answer.Error);
    }

    /// <summary>Ends the span of a request whose answer is no longer waited for.</summary>
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
            // A listener's.
        }
    }

    private static List<ActivityLink> Links(WriteRequest request)
    {
        var links = new List<ActivityLink>();
        var known = new HashSet<ActivityContext>();
        for (var i = 0; i < request.Count && links.Count < MaxLinks; i++)
        {
            if (request[i].Work.Callers is not { } callers)
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

using System.Diagnostics;
using Stout.Lanes.Core;

namespace Stout.Diagnostics;

/// <summary>
/// The spans of the callers of one key: one list for the dirty changes, one for the present batch. The object exists only while a listener traces batches.
/// Spans beyond <see cref="StoutTelemetry.MaxLinks"/> are dropped.
/// </summary>
internal sealed class CallerSpans
{
    private List<ActivityContext> _dirty = [];
    private List<ActivityContext> _carried = [];

    /// <summary>The spans for the present batch.</summary>
    public IReadOnlyList<ActivityContext> Carried => _carried;

    /// <summary>Adds the span of a caller that has made a change, or that waits for one with a message.</summary>
    public void Add(ActivityContext caller, bool toDirty)
    {
        var spans = toDirty ? _dirty : _carried;
        // A change and the message after it often have the same caller's span, which is added once.
        if (spans.Count < StoutTelemetry.MaxLinks && (spans.Count == 0 || spans[^1] != caller))
            spans.Add(caller);
    }

    /// <summary>Moves the spans of dirty changes into the batch.</summary>
    public void Freeze()
    {
        (_dirty, _carried) = (_carried, _dirty);
        _dirty.Clear();
    }

    /// <summary>Moves the batch's spans back to the dirty changes.</summary>
    public void Requeue()
    {
        foreach (var caller in _dirty)
            Add(caller, toDirty: false);
        (_dirty, _carried) = (_carried, _dirty);
        _carried.Clear();
    }
}

/// <summary>
/// The span of one call, posted to the lane together with the call's message. If the span were posted later, the batch might leave before the span
/// arrives.
/// </summary>
internal sealed class CallerSpan(ActivityContext context, Message? message)
{
    public ActivityContext Context { get; } = context;

    public Message? Message { get; } = message;
}

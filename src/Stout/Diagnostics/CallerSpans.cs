using System.Diagnostics;
using Stout.Lanes;

namespace Stout.Diagnostics;

/// <summary>
/// The spans on whose behalf a key was changed or waits: of what is dirty, and of what the present batch carries. A key has one only
/// while a listener traces batches. The newest are forgotten where there are too many.
/// </summary>
internal sealed class CallerSpans
{
    private List<ActivityContext> _dirty = [];
    private List<ActivityContext> _carried = [];

    /// <summary>The callers of what the present batch carries.</summary>
    public IReadOnlyList<ActivityContext> Carried => _carried;

    /// <summary>A change, or a message that waits for one.</summary>
    public void Add(ActivityContext caller, bool toDirty)
    {
        var spans = toDirty ? _dirty : _carried;
        // A change and the message that follows it come from one caller.
        if (spans.Count < StoutTelemetry.MaxLinks && (spans.Count == 0 || spans[^1] != caller))
            spans.Add(caller);
    }

    /// <summary>What was dirty is carried now.</summary>
    public void Freeze()
    {
        (_dirty, _carried) = (_carried, _dirty);
        _dirty.Clear();
    }

    /// <summary>What was carried is dirty again.</summary>
    public void Requeue()
    {
        foreach (var caller in _dirty)
            Add(caller, toDirty: false);
        (_dirty, _carried) = (_carried, _dirty);
        _carried.Clear();
    }
}

/// <summary>
/// The span of one call, on its way to the lane together with the call's message: if it came after, a batch might leave without it.
/// </summary>
internal sealed class CallerSpan(ActivityContext context, Message? message)
{
    public ActivityContext Context { get; } = context;

    public Message? Message { get; } = message;
}

using System.Diagnostics;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>One write request to the store: one attempt at the keys of a batch.</summary>
[DebuggerDisplay("{Count} keys, over: {IsOver}, unknown attempts: {UnknownAttempts}")]
internal sealed class WriteRequest : StoreCall
{
    private readonly List<PendingWork> _keys = [];
    private Activity? _span;

    /// <summary>The batch for the proxy. Its keys are those of the request, in the same order.</summary>
    public WriteBatch Batch { get; } = new();

    /// <summary>The number of earlier attempts at these keys with an unknown outcome.</summary>
    public int UnknownAttempts { get; private set; }

    /// <summary>The request's span while it is in flight; null without a listener.</summary>
    public Activity? Span
    {
        get => _span;
        set => _span = value;
    }

    public int Count => _keys.Count;

    public PendingWork this[int index] => _keys[index];

    public void Begin(long run, Pacing.BatchDeparture departure, int unknownAttempts)
    {
        Run = run;
        Departure = departure;
        UnknownAttempts = unknownAttempts;
        IsOver = false;
        IsAbandoned = false;
    }

    public void Add(PendingWork work, in KeyWrite write, ReadOnlySpan<PartWrite> parts)
    {
        _keys.Add(work);
        Batch.Add(write, parts);
    }

    /// <summary>Takes the request's span, to end it. An answer and a time-out may race; only one of them gets the span.</summary>
    public Activity? TakeSpan() => Interlocked.Exchange(ref _span, null);

    /// <summary>Clears the object for reuse.</summary>
    public void Clear()
    {
        _keys.Clear();
        Batch.Clear();
    }
}

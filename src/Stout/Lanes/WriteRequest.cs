using System.Diagnostics;
using System.Runtime.InteropServices;
using Stout.Storage;

namespace Stout.Lanes;

/// <summary>One write request to the store: an attempt at the keys of a batch.</summary>
internal sealed class WriteRequest : StoreCall
{
    private readonly List<WriteEntry> _entries = [];
    private Activity? _span;

    /// <summary>What the proxy is given; its keys are those of the entries, in their order.</summary>
    public WriteBatch Batch { get; } = new();

    /// <summary>Tells this use of the object from earlier ones.</summary>
    public long Run { get; private set; }

    /// <summary>How many attempts at these keys had no certain outcome.</summary>
    public int UnknownAttempts { get; set; }

    /// <summary>The request's span, while it is under way and a listener traces it.</summary>
    public Activity? Span
    {
        get => _span;
        set => _span = value;
    }

    public int Count => _entries.Count;

    public ref WriteEntry this[int index] => ref CollectionsMarshal.AsSpan(_entries)[index];

    public void Begin(long run)
    {
        Run = run;
        IsOver = false;
        IsAbandoned = false;
        UnknownAttempts = 0;
    }

    public void Add(WriteEntry entry, in KeyWrite write, ReadOnlySpan<PartWrite> parts)
    {
        _entries.Add(entry);
        Batch.Add(write, parts);
    }

    /// <summary>The span, for the code that ends it: the answer and the end of the wait for it may come at the same time.</summary>
    public Activity? TakeSpan() => Interlocked.Exchange(ref _span, null);

    /// <summary>Forgets everything, for another use.</summary>
    public void Clear()
    {
        _entries.Clear();
        Batch.Clear();
    }
}

/// <summary>One key of a write request.</summary>
/// <param name="Work">The key's work.</param>
/// <param name="Source">The serialization batch that holds its bytes; null where they came with its changes.</param>
internal readonly record struct WriteEntry(PendingWork Work, SerializationBatch? Source);

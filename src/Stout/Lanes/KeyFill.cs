using Stout.Storage;

namespace Stout.Lanes;

/// <summary>A fill under way: the read, then the Deserialize callback, and the callers that wait for it.</summary>
internal sealed class KeyFill(KeyHandle handle, Stamp claim, TimeSpan requestedAt)
{
    private const int LeastTrim = 64;

    private int _trimAt = LeastTrim;

    public KeyHandle Handle { get; } = handle;

    /// <summary>The stamp that the key gets if the store holds one of a smaller epoch.</summary>
    public Stamp Claim { get; } = claim;

    public TimeSpan RequestedAt { get; } = requestedAt;

    /// <inheritdoc cref="FilledKey.Requester"/>
    public object? Requester { get; init; }

    /// <summary>The callers, with some that have gone.</summary>
    public List<FillRequest> Waiters { get; } = [];

    /// <summary>Whether the fill waits to be read.</summary>
    public bool IsWaiting { get; set; }

    /// <summary>With how many keys the fill may be read in one request: fewer after each time-out.</summary>
    public int MostTogether { get; set; } = int.MaxValue;

    /// <summary>What the fill counts in the bytes of reads under way.</summary>
    public long CountedBytes { get; set; }

    /// <summary>How often in a row the store could not read this key while it could read others.</summary>
    public int BusyAttempts { get; set; }

    /// <summary>What the store said last of the key that it could not read; null if it could, or did not say.</summary>
    public Exception? BusyCause { get; set; }

    /// <summary>What was read.</summary>
    public ReadOutcome Outcome { get; set; }

    /// <summary>When the Deserialize callback was called.</summary>
    public TimeSpan AskedAt { get; set; }

    /// <summary>Whether the fill has ended: the handle is open or closed.</summary>
    public bool IsOver => Handle.Phase != KeyPhase.Filling;

    /// <summary>Whether every caller has stopped waiting.</summary>
    public bool IsAbandoned
    {
        get
        {
            // From the last, since the oldest callers are the first to go.
            while (Waiters.Count > 0 && Waiters[^1].Task.IsCompleted)
                Waiters.RemoveAt(Waiters.Count - 1);
            return Waiters.Count == 0;
        }
    }

    /// <summary>A caller joins. Those that have gone are dropped whenever their number has doubled.</summary>
    public void Add(FillRequest waiter)
    {
        if (Waiters.Count >= _trimAt)
        {
            Waiters.RemoveAll(static waiter => waiter.Task.IsCompleted);
            _trimAt = Math.Max(LeastTrim, 2 * Waiters.Count);
        }

        Waiters.Add(waiter);
    }
}

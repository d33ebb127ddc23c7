using System.Diagnostics;
using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>A fill under way: the read, then the Deserialize callback, and the callers that wait for the fill.</summary>
[DebuggerDisplay("{Handle.Key}, {Kind}, {Waiters.Count} callers")]
internal sealed class KeyFill(KeyHandle handle, FillRequest request, TimeSpan requestedAt)
{
    private const int LeastTrim = 64;

    private int _trimAt = LeastTrim;

    public KeyHandle Handle { get; } = handle;

    /// <summary>The kind of fill.</summary>
    public FillKind Kind { get; } = request.Kind;

    /// <inheritdoc cref="FillRequest.Claim"/>
    public KeyClaim? Claim { get; } = request.Claim;

    /// <inheritdoc cref="FillRequest.Owner"/>
    public KeyOwner Owner { get; } = request.Owner;

    public TimeSpan RequestedAt { get; } = requestedAt;

    /// <summary>The waiting callers, including cancelled ones that have not been removed yet.</summary>
    public List<FillRequest> Waiters { get; } = [];

    /// <summary>Whether the fill is queued for reading.</summary>
    public bool IsWaiting { get; set; }

    /// <summary>The largest number of keys in a read request with this key. A time-out lowers it to a 64th of the request's keys, at least 1.</summary>
    public int MostTogether { get; set; } = int.MaxValue;

    /// <summary>The key's share of the bytes of reads in progress.</summary>
    public long CountedBytes { get; set; }

    /// <summary>The read request in flight, or null.</summary>
    public ReadRequest? Request { get; set; }

    /// <summary>The number of this fill's abandoned reads whose calls have not ended.</summary>
    public int LateReads { get; set; }

    /// <summary>Whether the fill waits for the end of an abandoned read before it is read again.</summary>
    public bool AwaitsLateRead { get; set; }

    /// <summary>The number of reads in which the store reported this key as busy.</summary>
    public int BusyAttempts { get; set; }

    /// <summary>The store's last error about this busy key, or null.</summary>
    public Exception? BusyCause { get; set; }

    /// <summary>The outcome of the read.</summary>
    public ReadOutcome Outcome { get; set; }

    /// <summary>The start time of the Deserialize callback.</summary>
    public TimeSpan AskedAt { get; set; }

    /// <summary>Whether the fill has ended, with its handle open or closed.</summary>
    public bool IsOver => Handle.Phase != KeyPhase.Filling;

    /// <summary>Whether all callers have stopped waiting.</summary>
    public bool IsAbandoned
    {
        get
        {
            // The loop starts at the newest caller, which usually still waits, so the loop usually ends at once.
            while (Waiters.Count > 0 && Waiters[^1].IsCancelled)
                Waiters.RemoveAt(Waiters.Count - 1);
            return Waiters.Count == 0;
        }
    }

    /// <summary>Adds a caller. The list drops cancelled callers whenever its length has doubled.</summary>
    public void Add(FillRequest waiter)
    {
        if (Waiters.Count >= _trimAt)
        {
            Waiters.RemoveAll(static waiter => waiter.IsCancelled);
            _trimAt = Math.Max(LeastTrim, 2 * Waiters.Count);
        }

        Waiters.Add(waiter);
        waiter.Fill = this;
    }
}

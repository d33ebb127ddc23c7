using Stout.Storage;

namespace Stout.Lanes;

/// <summary>A fill under way: the read, then the Deserialize callback, and those who wait for it.</summary>
internal sealed class KeyFill(KeyHandle handle, Stamp claim, TimeSpan requestedAt)
{
    public KeyHandle Handle { get; } = handle;

    /// <summary>The stamp that the key gets if the store holds one of a smaller epoch.</summary>
    public Stamp Claim { get; } = claim;

    public TimeSpan RequestedAt { get; } = requestedAt;

    /// <inheritdoc cref="FilledKey.Requester"/>
    public object? Requester { get; init; }

    public List<TaskCompletionSource<KeyHandle>> Waiters { get; } = [];

    /// <summary>How often in a row the store could not read this key while it could read others.</summary>
    public int BusyAttempts { get; set; }

    /// <summary>What was read.</summary>
    public ReadOutcome Outcome { get; set; }

    /// <summary>When the Deserialize callback was called.</summary>
    public TimeSpan AskedAt { get; set; }

    /// <summary>Whether the fill has ended: the handle is open or closed.</summary>
    public bool IsOver => Handle.Phase != KeyPhase.Filling;
}

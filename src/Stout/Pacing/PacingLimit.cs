namespace Stout.Pacing;

/// <summary>What kept a lane's last batch from leaving earlier; ordered by how much the store is to blame.</summary>
public enum PacingLimit
{
    /// <summary>Nothing: the batch left as soon as there was something to send. An idle lane has this limit too, whatever its interval.</summary>
    None,

    /// <summary>The batching interval.</summary>
    Interval,

    /// <summary>All places in flight were taken.</summary>
    InFlight,

    /// <summary>The interval that refusals for overload have led to.</summary>
    Refusals,

    /// <summary>The lane waits before it tries again: the store asked for it, or fails.</summary>
    Trouble,
}

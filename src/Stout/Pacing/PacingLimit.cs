namespace Stout.Pacing;

/// <summary>The reason why a lane's last batch did not leave earlier, ordered by the store's share in it.</summary>
public enum PacingLimit
{
    /// <summary>No delay: the batch left as soon as there was something to send. This includes idle lanes of any interval.</summary>
    None,

    /// <summary>The batching interval.</summary>
    Interval,

    /// <summary>The limit of requests in flight.</summary>
    InFlight,

    /// <summary>The interval lengthened by refusals for overload.</summary>
    Refusals,

    /// <summary>The delay before a retry: the store asked for it, or fails.</summary>
    Trouble,
}

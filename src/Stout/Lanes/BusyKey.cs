namespace Stout.Lanes;

/// <summary>A key that the store reported as busy at its last attempts, while it accepted other keys.</summary>
/// <param name="since">The time at which the first of these attempts ended.</param>
internal sealed class BusyKey(TimeSpan since)
{
    public TimeSpan Since { get; } = since;

    /// <summary>The number of consecutive attempts that ended as busy.</summary>
    public int Attempts { get; set; }

    /// <summary>Whether the delay before the key's next attempt is still running.</summary>
    public bool IsWaiting { get; set; }

    /// <summary>The error of the last attempt, or null.</summary>
    public Exception? Cause { get; set; }
}

namespace Stout.Lanes.Core;

/// <summary>The state of a key that the store reported as busy at recent attempts, while the store accepted other keys.</summary>
/// <param name="since">The time at which the first such attempt ended.</param>
internal sealed class BusyKey(TimeSpan since)
{
    public TimeSpan Since { get; } = since;

    /// <summary>The number of attempts that ended as busy.</summary>
    public int Attempts { get; set; }

    /// <summary>Whether the delay before the key's next attempt is still running.</summary>
    public bool IsWaiting { get; set; }

    /// <summary>The error of the last attempt, or null.</summary>
    public Exception? Cause { get; set; }
}

namespace Stout.Lanes;

/// <summary>A key that the store could not take at its last attempts, though it took others.</summary>
/// <param name="since">When the first of these attempts ended.</param>
internal sealed class BusyKey(TimeSpan since)
{
    public TimeSpan Since { get; } = since;

    /// <summary>How many attempts in a row have ended as busy.</summary>
    public int Attempts { get; set; }

    /// <summary>Whether the delay before the next attempt still runs.</summary>
    public bool IsWaiting { get; set; }

    /// <summary>The cause of the last attempt's outcome, or null.</summary>
    public Exception? Cause { get; set; }
}

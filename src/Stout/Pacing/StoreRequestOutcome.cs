namespace Stout.Pacing;

/// <summary>How a store request ended.</summary>
public enum StoreRequestOutcome
{
    /// <summary>Answered. (Conflicts are answers too.)</summary>
    Answered,

    /// <summary>Refused for overload, in whole or in part.</summary>
    Overloaded,

    /// <summary>The store could not be reached: its latency says nothing.</summary>
    Unreachable,

    /// <summary>No certain answer: it timed out or the connection was lost.</summary>
    Unknown,
}

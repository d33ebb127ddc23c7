namespace Stout.Pacing;

/// <summary>The outcomes of store requests.</summary>
public enum StoreRequestOutcome
{
    /// <summary>Answered; a conflict is an answer too.</summary>
    Answered,

    /// <summary>Refused for overload, in whole or in part.</summary>
    Overloaded,

    /// <summary>The store could not be reached; the latency has no meaning.</summary>
    Unreachable,

    /// <summary>No certain answer: the request timed out or the connection was lost.</summary>
    Unknown,
}

namespace Stout.Documents;

/// <summary>The answers of <see cref="AppliedRequests"/> about a request.</summary>
public enum RequestState
{
    /// <summary>
    /// It may have been applied: its id is older than the bounds, or as old as an id that the bounds have removed. Neither apply it nor report it as
    /// done.
    /// </summary>
    Unknown,

    /// <summary>The object's state is without the request.</summary>
    NotDone,

    /// <summary>The object's state is with the request. This answer is final.</summary>
    Done,
}

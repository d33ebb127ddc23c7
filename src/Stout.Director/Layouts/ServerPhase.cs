namespace Stout.Director.Layouts;

/// <summary>The state of a leased server.</summary>
public enum ServerPhase
{
    /// <summary>The pool has granted the server, which serves no requests yet.</summary>
    Booting,

    /// <summary>The server serves requests.</summary>
    Live,
}

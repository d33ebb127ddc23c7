namespace Stout.Director.Layouts;

/// <summary>The state of a leased server.</summary>
public enum ServerPhase
{
    /// <summary>The pool has granted it; it serves nothing yet.</summary>
    Booting,

    /// <summary>The server serves.</summary>
    Live,
}

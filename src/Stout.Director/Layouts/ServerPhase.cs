namespace Stout.Director.Layouts;

/// <summary>The state of a leased server.</summary>
public enum ServerPhase
{
    /// <summary>The pool has granted it; it serves nothing yet.</summary>
    Booting,

    /// <summary>It serves.</summary>
    Live,
}

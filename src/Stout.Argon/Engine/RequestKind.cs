namespace Stout.Argon.Engine;

/// <summary>The kinds of callers' requests.</summary>
internal enum RequestKind
{
    Read,
    Write,
    Flush,
    Resize,

    /// <summary>Drop all frames of an object, for a delete or a new open.</summary>
    Forget,
}

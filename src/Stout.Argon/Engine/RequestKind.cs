namespace Stout.Argon.Engine;

/// <summary>What a caller asks of the engine.</summary>
internal enum RequestKind
{
    Read,
    Write,
    Flush,
    Resize,

    /// <summary>Drop all frames of an object, for a delete or a new open.</summary>
    Forget,
}

namespace Stout.Argon.Engine;

/// <summary>The kinds of callers' requests.</summary>
internal enum RequestKind
{
    Read,
    Write,
    Flush,
    Resize,

    /// <summary>Drop all frames of an object, for a delete, a close or a new open. All later requests of the object fail.</summary>
    Forget,

    /// <summary>Allocate disk space for an object.</summary>
    Allocate,

    /// <summary>Do work on the disk's folder: create, open, delete or list objects.</summary>
    Task,

    /// <summary>Remove a service: evict its blocks, and divide its partition among the other services.</summary>
    Remove,
}

namespace Stout.Argon.Engine;

/// <summary>The kinds of device requests.</summary>
internal enum DiskIoKind
{
    Read,
    Write,

    /// <summary>Make durable all that was written to the object, and its length.</summary>
    Sync,

    /// <summary>Make a shorter length durable, then cut the file.</summary>
    Resize,

    /// <summary>Allocate disk space for the object.</summary>
    Allocate,

    /// <summary>Do work on the folder.</summary>
    Task,
}

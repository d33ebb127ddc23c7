namespace Stout.Documents;

/// <summary>How a process owns the objects of a collection while they are in its memory.</summary>
public enum Ownership
{
    /// <summary>
    /// Objects are not claimed. If another process has written an object since it was read, the object's version shows this, and the next write is a conflict.
    /// </summary>
    None,

    /// <summary>
    /// Each read of an object into memory claims its key in the store: every later write of an earlier owner fails with <see cref="FencedException"/>. The next
    /// call in the earlier owner's process claims the object back, so requests for one object have to go to one process.
    /// </summary>
    Claim,
}

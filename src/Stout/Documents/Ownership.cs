namespace Stout.Documents;

/// <summary>How a process owns the objects of a collection while they are in its memory.</summary>
public enum Ownership
{
    /// <summary>Without claims: a second process that writes an object is found out by the object's version.</summary>
    None,

    /// <summary>
    /// Each read of an object into memory claims its key in the store: every later write of an earlier owner fails with <see cref="FencedException"/>. The
    /// next call of such a process claims the object back, so requests for one object have to go to one process.
    /// </summary>
    Claim,
}

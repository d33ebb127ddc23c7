namespace Stout.Storage;

/// <summary>The kinds of reads.</summary>
public enum KeyReadKind
{
    /// <summary>Version, owner and parts, of a key with any owner. Changes nothing in the store.</summary>
    Peek,

    /// <summary>
    /// Version and owner alone, and whether the object exists. Changes nothing in the store; a lane uses this read to confirm that a handle's owner still
    /// has the key.
    /// </summary>
    Header,

    /// <summary>First gives the key a new owner by <see cref="KeyRead.Claim"/>, durably; then reads as <see cref="Peek"/>.</summary>
    Claim,
}

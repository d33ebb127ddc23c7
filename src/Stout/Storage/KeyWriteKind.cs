namespace Stout.Storage;

/// <summary>The effect of a write on the parts that it does not name.</summary>
public enum KeyWriteKind
{
    /// <summary>The other parts stay.</summary>
    Merge,

    /// <summary>The other parts are deleted: the write starts a new generation with the named parts only.</summary>
    Replace,

    /// <summary>All parts are deleted, and the header is written as deleted. The write names no parts.</summary>
    Delete,
}

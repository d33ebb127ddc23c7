namespace Stout;

/// <summary>The limits that a store puts on the changes of one key.</summary>
public enum ChangeLimit
{
    /// <summary>Bytes of one part.</summary>
    ValueBytes,

    /// <summary>Bytes of all parts that change together.</summary>
    ChangeSetBytes,

    /// <summary>Number of parts that change together.</summary>
    ChangeSetParts,
}

namespace Stout;

/// <summary>A store's limits on the changes of one key.</summary>
public enum ChangeLimit
{
    /// <summary>The bytes of one part.</summary>
    ValueBytes,

    /// <summary>The bytes of all parts that change together.</summary>
    ChangeSetBytes,

    /// <summary>The number of parts that change together.</summary>
    ChangeSetParts,
}

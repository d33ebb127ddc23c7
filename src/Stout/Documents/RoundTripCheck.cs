namespace Stout.Documents;

/// <summary>How often a change is checked for values that do not come back from their bytes as they were.</summary>
public enum RoundTripCheck
{
    /// <summary>Never: what does not come back is seen when the object is read anew.</summary>
    Never,

    /// <summary>
    /// Once for each shape of a value: for the types that it has in its places. It finds types that can't be read back, and not what
    /// single values lose, such as half of a surrogate pair in a text.
    /// </summary>
    OncePerShape,

    /// <summary>For every value. A change takes about three times as long.</summary>
    Always,
}

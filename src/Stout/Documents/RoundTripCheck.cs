namespace Stout.Documents;

/// <summary>How often a change checks that its value can be deserialized without loss.</summary>
public enum RoundTripCheck
{
    /// <summary>No check. Losses appear when the object is read again.</summary>
    Never,

    /// <summary>
    /// One check for each shape of a value, meaning each combination of runtime types. It finds types that cannot be deserialized, but not losses of
    /// single values, such as an unpaired surrogate in a text.
    /// </summary>
    OncePerShape,

    /// <summary>Every value is checked. A change takes about three times as long.</summary>
    Always,
}

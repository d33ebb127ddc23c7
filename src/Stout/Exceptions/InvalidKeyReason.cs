namespace Stout;

/// <summary>The rules for keys that a text may violate.</summary>
public enum InvalidKeyReason
{
    /// <summary>A partition key needs at least one character.</summary>
    Empty,

    /// <summary>The text is longer than <see cref="PartitionKey.MaxBytes"/> or <see cref="SubKey.MaxBytes"/>.</summary>
    TooLong,

    /// <summary>The text contains an unpaired surrogate, which has no encoding in UTF-8.</summary>
    IllFormed,
}

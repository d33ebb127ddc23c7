namespace Stout;

/// <summary>Why a text can't be a key.</summary>
public enum InvalidKeyReason
{
    /// <summary>A partition key has at least one character.</summary>
    Empty,

    /// <summary>It is longer than <see cref="PartitionKey.MaxBytes"/> or <see cref="SubKey.MaxBytes"/>.</summary>
    TooLong,

    /// <summary>It contains half of a surrogate pair, which has no encoding in UTF-8.</summary>
    IllFormed,
}

namespace Stout;

/// <summary>A text can't be a key or a sub-key. Nothing was changed; give another name.</summary>
public sealed class InvalidKeyException : StoutException
{
    internal InvalidKeyException(InvalidKeyReason reason, int length, int limit)
        : base(reason switch
        {
            InvalidKeyReason.Empty => "A partition key can't be empty.",
            InvalidKeyReason.TooLong => $"The key takes {length} bytes of UTF-8; {limit} are allowed.",
            _ => "The key is not well-formed UTF-16: it contains a lone surrogate.",
        })
    {
        Reason = reason;
        Length = length;
        Limit = limit;
    }

    /// <summary>What is wrong with the text.</summary>
    public InvalidKeyReason Reason { get; }

    /// <summary>The text's length in bytes of UTF-8 (in UTF-16 units where it is ill-formed).</summary>
    public int Length { get; }

    /// <summary>The greatest length allowed, in bytes of UTF-8; 0 where the length is not what is wrong.</summary>
    public int Limit { get; }
}

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

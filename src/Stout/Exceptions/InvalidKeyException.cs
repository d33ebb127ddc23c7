namespace Stout;

/// <summary>A text can't be a key or a sub-key. Nothing was changed; give another name.</summary>
public sealed class InvalidKeyException : StoutException
{
    /// <summary>Says what is wrong with a text; the message does not hold the text.</summary>
    /// <param name="reason">What is wrong with the text.</param>
    /// <param name="length">The text's length in bytes of UTF-8 (in UTF-16 units where it is ill-formed).</param>
    /// <param name="limit">The greatest length allowed, in bytes of UTF-8; 0 where the length is not what is wrong.</param>
    public InvalidKeyException(InvalidKeyReason reason, int length, int limit)
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

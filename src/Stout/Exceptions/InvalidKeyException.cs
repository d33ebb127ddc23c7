namespace Stout;

/// <summary>A text is not a valid key or sub-key. Nothing was changed; use another name.</summary>
public sealed class InvalidKeyException : StoutException
{
    /// <summary>Creates the exception. Its message does not contain the text.</summary>
    /// <param name="reason">The violated rule.</param>
    /// <param name="length">The text's length in bytes of UTF-8, or in UTF-16 units for ill-formed text.</param>
    /// <param name="limit">The maximum length in bytes of UTF-8; 0 if the length is allowed.</param>
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

    /// <summary>The violated rule.</summary>
    public InvalidKeyReason Reason { get; }

    /// <summary>The text's length in bytes of UTF-8, or in UTF-16 units for ill-formed text.</summary>
    public int Length { get; }

    /// <summary>The maximum length in bytes of UTF-8; 0 if the length is allowed.</summary>
    public int Limit { get; }
}

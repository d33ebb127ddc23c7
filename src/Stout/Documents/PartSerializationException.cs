namespace Stout.Documents;

/// <summary>
/// A part's value could not be made into bytes, or its stored bytes not into a value; the inner exception tells why. Nothing was
/// changed, and the object's other parts can still be used.
/// </summary>
public sealed class PartSerializationException : KeyException
{
    /// <summary>Reports a part that the serializer failed for.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="part">The part.</param>
    /// <param name="isStored">Whether the stored bytes could not be read; otherwise a new value could not be written.</param>
    /// <param name="innerException">The serializer's error.</param>
    public PartSerializationException(PartitionKey key, SubKey part, bool isStored, Exception innerException)
        : base(
            key,
            isStored ? "A part's stored bytes could not be made into a value." : "A part's value could not be made into bytes.",
            innerException)
    {
        Part = part;
        IsStored = isStored;
    }

    /// <summary>The part.</summary>
    public SubKey Part { get; }

    /// <summary>Whether it is the stored bytes that could not be read; otherwise it is a new value that could not be written.</summary>
    public bool IsStored { get; }
}

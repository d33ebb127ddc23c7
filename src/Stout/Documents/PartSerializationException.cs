namespace Stout.Documents;

/// <summary>
/// A part's value could not be serialized, or its stored bytes could not be deserialized; see the inner exception. Nothing was changed, and the
/// object's other parts remain usable.
/// </summary>
public sealed class PartSerializationException : KeyException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="part">The part.</param>
    /// <param name="isStored">Whether deserializing stored bytes failed; otherwise serializing a new value failed.</param>
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

    /// <summary>Whether deserializing stored bytes failed; otherwise serializing a new value failed.</summary>
    public bool IsStored { get; }
}

namespace Stout;

/// <summary>
/// One object is larger than the options allow (<see cref="StoutOptions.MaxObjectBytes"/>, <see cref="StoutOptions.MaxObjectParts"/>): after
/// a change, which was then not made, or as the store holds it. Split the object, or allow more.
/// </summary>
public sealed class ObjectTooLargeException : KeyException
{
    /// <summary>Reports an object above a limit of the options.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="size">The object's size, in the unit of <paramref name="kind"/>.</param>
    /// <param name="limit">The greatest size that the options allow, in the same unit.</param>
    /// <param name="kind">The limit that the object exceeds.</param>
    public ObjectTooLargeException(PartitionKey key, long size, long limit, ObjectLimit kind)
        : base(key, $"The object is larger than the options allow: it has {size} {(kind == ObjectLimit.Bytes ? "bytes" : "parts")}, and the limit is {limit}.")
    {
        Size = size;
        Limit = limit;
        Kind = kind;
    }

    /// <summary>The object's size, in the unit of <see cref="Kind"/>.</summary>
    public long Size { get; }

    /// <summary>The greatest size that the options allow, in the same unit.</summary>
    public long Limit { get; }

    /// <summary>Which limit was exceeded.</summary>
    public ObjectLimit Kind { get; }

    /// <summary>The error of an object that exceeds a limit; null if it does not.</summary>
    internal static ObjectTooLargeException? Of(PartitionKey key, long bytes, int parts, StoutOptions options) =>
        parts > options.MaxObjectParts ? new ObjectTooLargeException(key, parts, options.MaxObjectParts, ObjectLimit.Parts)
        : bytes > options.MaxObjectBytes ? new ObjectTooLargeException(key, bytes, options.MaxObjectBytes, ObjectLimit.Bytes)
        : null;
}

namespace Stout;

/// <summary>
/// A stored object exceeds <see cref="StoutOptions.MaxObjectBytes"/> or <see cref="StoutOptions.MaxObjectParts"/>, or a change would have made an
/// object exceed them. Such a change was not made. Split the object, or raise the limits.
/// </summary>
public sealed class ObjectTooLargeException : KeyException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="key">The key concerned.</param>
    /// <param name="size">The object's size, in the unit of <paramref name="kind"/>.</param>
    /// <param name="limit">The options' limit, in the same unit.</param>
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

    /// <summary>The options' limit, in the same unit.</summary>
    public long Limit { get; }

    /// <summary>The exceeded limit.</summary>
    public ObjectLimit Kind { get; }

    /// <summary>Creates the exception for an object that exceeds a limit; otherwise returns null.</summary>
    internal static ObjectTooLargeException? Of(PartitionKey key, long bytes, int parts, StoutOptions options) =>
        parts > options.MaxObjectParts ? new ObjectTooLargeException(key, parts, options.MaxObjectParts, ObjectLimit.Parts)
        : bytes > options.MaxObjectBytes ? new ObjectTooLargeException(key, bytes, options.MaxObjectBytes, ObjectLimit.Bytes)
        : null;
}

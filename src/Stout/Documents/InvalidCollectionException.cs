namespace Stout.Documents;

/// <summary>
/// The name of a collection is invalid, or its type, serializer or options differ from those of an earlier request for the name. This is an error in the
/// program. Nothing was changed.
/// </summary>
public sealed class InvalidCollectionException : StoutException
{
    /// <summary>Creates the exception.</summary>
    /// <param name="collection">The given name.</param>
    /// <param name="message">The reason.</param>
    public InvalidCollectionException(string collection, string message)
        : base(message)
    {
        Collection = collection;
    }

    /// <summary>The given name.</summary>
    public string Collection { get; }
}

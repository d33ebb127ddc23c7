namespace Stout.Documents;

/// <summary>A collection can't have this name, this type or this serializer. An error in the program; nothing was changed.</summary>
public sealed class InvalidCollectionException : StoutException
{
    /// <summary>Reports a collection that can't be used as the program asks.</summary>
    /// <param name="collection">The name that was given.</param>
    /// <param name="message">Why the collection can't be used.</param>
    public InvalidCollectionException(string collection, string message)
        : base(message)
    {
        Collection = collection;
    }

    /// <summary>The name that was given.</summary>
    public string Collection { get; }
}

namespace Stout.Documents;

/// <summary>A collection can't have this name, this type or this serializer. An error in the program; nothing was changed.</summary>
public sealed class InvalidCollectionException : StoutException
{
    internal InvalidCollectionException(string collection, string message)
        : base(message)
    {
        Collection = collection;
    }

    /// <summary>The name that was given.</summary>
    public string Collection { get; }
}

namespace Stout.Orleans.Storage;

/// <summary>A key's content in memory, in serialized form.</summary>
internal interface IKeyContent
{
    /// <summary>Writes the changed parts. Called on the thread pool, while the grain may be changing the state.</summary>
    void Serialize(SerializationKey key);
}

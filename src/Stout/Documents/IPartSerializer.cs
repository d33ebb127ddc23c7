namespace Stout.Documents;

/// <summary>Converts parts of objects to bytes and back. A collection uses one instance, from several threads at once.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public interface IPartSerializer<T>
    where T : class
{
    /// <summary>
    /// Whether values are never changed in place, as with strings and most records. Such values are kept in memory and shared by all readers. For
    /// other types only the bytes are kept, and every read and every change gets a new value.
    /// </summary>
    bool ValuesAreImmutable { get; }

    /// <summary>
    /// Serializes a value. The returned bytes must not change afterwards. Stout keeps them until they are durable, and with mutable values as long as the
    /// object is in memory.
    /// </summary>
    /// <exception cref="Exception">Any exception fails the change with <see cref="PartSerializationException"/>.</exception>
    ReadOnlyMemory<byte> Serialize(T value);

    /// <summary>Deserializes the bytes that <see cref="Serialize"/> returned. The value may refer to the bytes, but must not change them.</summary>
    /// <exception cref="Exception">Any exception fails the access to the part with <see cref="PartSerializationException"/>.</exception>
    T Deserialize(ReadOnlyMemory<byte> bytes);
}

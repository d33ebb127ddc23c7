namespace Stout.Documents;

/// <summary>How a part of an object becomes bytes and back. One instance serves a collection; its calls may overlap.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public interface IPartSerializer<T>
    where T : class
{
    /// <summary>
    /// Whether values are never changed in place: strings can't be, records usually aren't. Such values are kept in memory and shared by
    /// all readers. Of others only the bytes are kept, and every reader and every change gets a value of its own: whatever is done to
    /// it, nothing changes but by a change that returns it.
    /// </summary>
    bool ValuesAreImmutable { get; }

    /// <summary>Makes bytes of a value. They are kept until they are durable (with mutable values, as long as the object is in memory) and must not be changed.</summary>
    /// <exception cref="Exception">Any exception fails the change with <see cref="PartSerializationException"/>.</exception>
    ReadOnlyMemory<byte> Serialize(T value);

    /// <summary>Makes a value of the bytes that <see cref="Serialize"/> made. It may refer to the bytes, but must not change them.</summary>
    /// <exception cref="Exception">Any exception fails the access to the part with <see cref="PartSerializationException"/>.</exception>
    T Deserialize(ReadOnlyMemory<byte> bytes);
}

using System.Buffers;

namespace Stout.Documents;

/// <summary>How a part of an object becomes bytes and back.</summary>
/// <typeparam name="T">The type of the parts.</typeparam>
public interface IPartSerializer<T>
    where T : class
{
    /// <summary>Whether values can never be changed in place, as strings can't.</summary>
    bool ValuesAreImmutable { get; }

    /// <summary>Makes bytes of a value.</summary>
    ReadOnlyMemory<byte> Serialize(T value);

    /// <summary>Makes a value of the bytes that <see cref="Serialize"/> made. The bytes are the callee's to keep.</summary>
    T Deserialize(ReadOnlyMemory<byte> bytes);
}

using System.Runtime.InteropServices;

namespace Stout.Documents;

/// <summary>
/// Keeps byte arrays without copying them. Stout shares each array with the callers that set or read it, so the array's content must not change afterwards.
/// </summary>
public sealed class BytesPartSerializer : IPartSerializer<byte[]>
{
    /// <inheritdoc/>
    public bool ValuesAreImmutable => true;

    /// <inheritdoc/>
    public ReadOnlyMemory<byte> Serialize(byte[] value) => value;

    /// <inheritdoc/>
    public byte[] Deserialize(ReadOnlyMemory<byte> bytes) =>
        MemoryMarshal.TryGetArray(bytes, out var segment) && segment.Array is { } array && array.Length == bytes.Length
            ? array
            : bytes.ToArray();
}

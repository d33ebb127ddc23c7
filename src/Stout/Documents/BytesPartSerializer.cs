using System.Runtime.InteropServices;

namespace Stout.Documents;

/// <summary>
/// Bytes as they are. They are handed over, not copied: code that sets or reads a part's array shares it with the store from then on
/// and must not change its content.
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

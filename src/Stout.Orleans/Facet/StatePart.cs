using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Stout.Orleans.Facet;

/// <summary>
/// The value of one part in memory, and a hash of its serialized form. The hash shows whether a function that threw has changed the value.
/// </summary>
internal sealed class StatePart<T>(T value, ReadOnlySpan<byte> bytes)
{
    public T Value => value;

    public UInt128 Hash { get; } = HashOf(bytes);

    /// <summary>The size of the serialized form.</summary>
    public int Bytes { get; } = bytes.Length;

    public static UInt128 HashOf(ReadOnlySpan<byte> bytes)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(bytes, hash);
        return BinaryPrimitives.ReadUInt128LittleEndian(hash);
    }
}

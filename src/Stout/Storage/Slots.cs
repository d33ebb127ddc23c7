using System.Security.Cryptography;
using System.Text;

namespace Stout.Storage;

/// <summary>
/// Maps keys to store partitions through 1,024 slots; each partition has a fixed range of slots. A slot is the first 10 bits of the SHA-256 of the
/// partition key's UTF-8 bytes. This rule never changes, and any language or database can compute it.
/// </summary>
public static class Slots
{
    /// <summary>The number of slots, and so the greatest number of store partitions.</summary>
    public const int Count = 1024;

    /// <summary>The hash's name, as stored in every partition.</summary>
    public const string HashName = "sha256-10";

    /// <summary>The key's slot, 0 to 1,023.</summary>
    public static int Of(PartitionKey key)
    {
        Span<byte> utf8 = stackalloc byte[LongKeys.MaxShortBytes];
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        if (Encoding.UTF8.TryGetBytes(key.Text, utf8, out var length))
            SHA256.HashData(utf8[..length], hash);
        else
            SHA256.HashData(Encoding.UTF8.GetBytes(key.Text), hash);
        return (hash[0] << 2) | (hash[1] >> 6);
    }

    /// <summary>Returns the partition of a slot: partition i has the slots s with ⌊s·partitions/1024⌋ = i.</summary>
    /// <param name="slot">0 to 1,023.</param>
    /// <param name="partitions">1 to 1,024.</param>
    public static int PartitionOf(int slot, int partitions) => slot * partitions / Count;
}

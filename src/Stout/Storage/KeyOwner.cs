using System.Buffers.Binary;

namespace Stout.Storage;

/// <summary>
/// The owner of a key, which a store keeps in the key's header beside its version. A claim changes the owner alone, and a write commits only if the
/// store holds the owner that the write names. So a former owner can't write.
/// </summary>
/// <param name="Epoch">The number of the ownership. It grows with every change of owner, and never begins again. 0 for a key that was never claimed.</param>
/// <param name="Claim">The id of the claim that made this owner. Empty: the key is not claimed; with an epoch above 0, its claim was reset.</param>
public readonly record struct KeyOwner(long Epoch, Guid Claim = default)
{
    /// <summary>An owner's length in its binary form.</summary>
    public const int Bytes = 24;

    /// <summary>The owner of a key that was never claimed, and of a key that the store does not have.</summary>
    public static KeyOwner None => default;

    /// <summary>Whether the key is claimed: then only writes that name this owner commit.</summary>
    public bool IsClaimed => Claim != Guid.Empty;

    /// <summary>Writes the binary form that stores may keep: epoch and claim, each big-endian.</summary>
    /// <param name="destination">At least <see cref="Bytes"/> bytes.</param>
    public void Write(Span<byte> destination)
    {
        BinaryPrimitives.WriteInt64BigEndian(destination, Epoch);
        Claim.TryWriteBytes(destination[8..], bigEndian: true, out _);
    }

    /// <summary>Reads the binary form from a store, which may be damaged. A claimed key has an epoch of 1 or more, and no epoch is negative.</summary>
    /// <param name="stored">The stored bytes.</param>
    /// <param name="owner">The owner; <see cref="None"/> if the bytes are invalid.</param>
    /// <returns>Whether the bytes are an owner.</returns>
    public static bool TryRead(ReadOnlySpan<byte> stored, out KeyOwner owner)
    {
        owner = default;
        if (stored.Length != Bytes)
            return false;
        owner = new KeyOwner(BinaryPrimitives.ReadInt64BigEndian(stored), new Guid(stored[8..], bigEndian: true));
        if (owner.Epoch > 0 || owner == None)
            return true;
        owner = default;
        return false;
    }

    /// <summary>Returns the binary form as 48 lower-case hexadecimal digits, for stores that keep text.</summary>
    public string ToHex()
    {
        Span<byte> bytes = stackalloc byte[Bytes];
        Write(bytes);
        return Convert.ToHexStringLower(bytes);
    }

    /// <summary>Reads the form of <see cref="ToHex"/> from a store, which may be damaged.</summary>
    /// <param name="text">The stored text.</param>
    /// <param name="owner">The owner; <see cref="None"/> if the text is invalid.</param>
    /// <returns>Whether the text is an owner.</returns>
    public static bool TryParseHex(string? text, out KeyOwner owner)
    {
        Span<byte> bytes = stackalloc byte[Bytes];
        owner = default;
        return LowerHex.TryParse(text, bytes) && TryRead(bytes, out owner);
    }
}

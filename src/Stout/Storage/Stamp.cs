namespace Stout.Storage;

/// <summary>
/// The name of one state of a key, new with every write. A write names the stored stamp that it expects, and its new stamp. So late, repeated and
/// reordered requests are harmless.
/// </summary>
/// <param name="Epoch">Number of the ownership under which the key was written; 0 without claims.</param>
/// <param name="Writer">128 random bits, new with every lane instance.</param>
/// <param name="Sequence">A counter of the writer's stamps; it never repeats.</param>
public readonly record struct Stamp(long Epoch, Guid Writer, long Sequence)
{
    /// <summary>The stamp of a key that the store does not contain.</summary>
    public static Stamp Absent => default;

    /// <summary>Whether this is <see cref="Absent"/>.</summary>
    public bool IsAbsent => this == default;

    /// <summary>A stamp's length in its binary form.</summary>
    public const int Bytes = 32;

    /// <summary>Writes the binary form that stores contain: epoch, writer, sequence, each big-endian.</summary>
    /// <param name="destination">At least <see cref="Bytes"/> bytes.</param>
    public void Write(Span<byte> destination)
    {
        System.Buffers.Binary.BinaryPrimitives.WriteInt64BigEndian(destination, Epoch);
        Writer.TryWriteBytes(destination[8..], bigEndian: true, out _);
        System.Buffers.Binary.BinaryPrimitives.WriteInt64BigEndian(destination[24..], Sequence);
    }

    /// <summary>Reads the binary form.</summary>
    /// <param name="source">At least <see cref="Bytes"/> bytes, in the form of <see cref="Write"/>.</param>
    public static Stamp Read(ReadOnlySpan<byte> source) => new(
        System.Buffers.Binary.BinaryPrimitives.ReadInt64BigEndian(source),
        new Guid(source.Slice(8, 16), bigEndian: true),
        System.Buffers.Binary.BinaryPrimitives.ReadInt64BigEndian(source[24..]));

    /// <summary>
    /// Reads the binary form from a store, which may be damaged. A valid stamp has an epoch of 0 or more and differs from <see cref="Absent"/>.
    /// </summary>
    /// <param name="stored">The stored bytes.</param>
    /// <param name="stamp">The stamp; <see cref="Absent"/> if the bytes are invalid.</param>
    /// <returns>Whether the bytes are a valid stamp.</returns>
    public static bool TryRead(ReadOnlySpan<byte> stored, out Stamp stamp)
    {
        stamp = stored.Length == Bytes ? Read(stored) : default;
        if (stamp.Epoch < 0)
            stamp = default;
        return !stamp.IsAbsent;
    }

    /// <summary>Returns the binary form as 64 lower-case hexadecimal digits, for stores that keep text. The texts sort as the epochs do.</summary>
    public string ToHex()
    {
        Span<byte> bytes = stackalloc byte[Bytes];
        Write(bytes);
        return Convert.ToHexStringLower(bytes);
    }

    /// <summary>Reads the form of <see cref="ToHex"/> from a store, which may be damaged.</summary>
    /// <param name="text">The stored text.</param>
    /// <param name="stamp">The stamp; <see cref="Absent"/> if the text is invalid.</param>
    /// <returns>Whether the text is a valid stamp.</returns>
    public static bool TryParseHex(string? text, out Stamp stamp)
    {
        Span<byte> bytes = stackalloc byte[Bytes];
        stamp = default;
        return LowerHex.TryParse(text, bytes) && TryRead(bytes, out stamp);
    }
}

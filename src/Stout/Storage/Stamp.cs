namespace Stout.Storage;

/// <summary>
/// What the store holds beside each key, new with every write of it. A write carries the stamp that it expects and the one
/// that it leaves, so that late, repeated and reordered requests are harmless.
/// </summary>
/// <param name="Epoch">Number of the ownership under which the key was written; 0 without leases.</param>
/// <param name="Writer">128 random bits, new with every lane instance.</param>
/// <param name="Sequence">Counts the writer's stamps; never repeats.</param>
public readonly record struct Stamp(long Epoch, Guid Writer, long Sequence)
{
    /// <summary>The stamp of a key that the store does not have.</summary>
    public static Stamp Absent => default;

    /// <summary>Whether this is the stamp of a key that the store does not have.</summary>
    public bool IsAbsent => this == default;

    /// <summary>A stamp's length in its binary form.</summary>
    public const int Bytes = 32;

    /// <summary>Writes the binary form that stores keep: epoch, writer, sequence, each big-endian.</summary>
    /// <param name="destination">At least <see cref="Bytes"/> bytes.</param>
    public void Write(Span<byte> destination)
    {
        System.Buffers.Binary.BinaryPrimitives.WriteInt64BigEndian(destination, Epoch);
        Writer.TryWriteBytes(destination[8..], bigEndian: true, out _);
        System.Buffers.Binary.BinaryPrimitives.WriteInt64BigEndian(destination[24..], Sequence);
    }

    /// <summary>Reads the binary form.</summary>
    /// <param name="source">At least <see cref="Bytes"/> bytes, as <see cref="Write"/> made them.</param>
    public static Stamp Read(ReadOnlySpan<byte> source) => new(
        System.Buffers.Binary.BinaryPrimitives.ReadInt64BigEndian(source),
        new Guid(source.Slice(8, 16), bigEndian: true),
        System.Buffers.Binary.BinaryPrimitives.ReadInt64BigEndian(source[24..]));

    /// <summary>
    /// Reads the binary form from a store, which may be damaged. A stamp has an epoch of 0 or more, and <see cref="Absent"/> is never stored.
    /// </summary>
    /// <param name="stored">What the store holds.</param>
    /// <param name="stamp">The stamp; <see cref="Absent"/> if the bytes are none.</param>
    /// <returns>Whether the bytes are a stamp.</returns>
    public static bool TryRead(ReadOnlySpan<byte> stored, out Stamp stamp)
    {
        stamp = stored.Length == Bytes ? Read(stored) : default;
        if (stamp.Epoch < 0)
            stamp = default;
        return !stamp.IsAbsent;
    }

    /// <summary>The binary form as 64 lower-case hexadecimal digits, for stores that keep text. Texts compare as the stamps' epochs do.</summary>
    public string ToHex()
    {
        Span<byte> bytes = stackalloc byte[Bytes];
        Write(bytes);
        return Convert.ToHexStringLower(bytes);
    }

    /// <summary>Reads the form that <see cref="ToHex"/> makes from a store, which may be damaged: as <see cref="TryRead"/> does.</summary>
    /// <param name="text">What the store holds.</param>
    /// <param name="stamp">The stamp; <see cref="Absent"/> if the text is none.</param>
    /// <returns>Whether the text is a stamp.</returns>
    public static bool TryParseHex(string? text, out Stamp stamp)
    {
        Span<byte> bytes = stackalloc byte[Bytes];
        stamp = default;

        // Upper-case digits are never written, and would not sort among the others.
        return text is { Length: 2 * Bytes }
            && !text.AsSpan().ContainsAnyInRange('A', 'F')
            && Convert.FromHexString(text, bytes, out _, out _) == System.Buffers.OperationStatus.Done
            && TryRead(bytes, out stamp);
    }
}

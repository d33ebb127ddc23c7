using Stout.Storage;

namespace Stout.AzureTables.Rest;

/// <summary>Stamps as the store keeps them: their binary form as 64 hexadecimal digits.</summary>
internal static class StampText
{
    public static string Format(in Stamp stamp)
    {
        Span<byte> bytes = stackalloc byte[Stamp.Bytes];
        stamp.Write(bytes);
        return Convert.ToHexStringLower(bytes);
    }

    /// <exception cref="StoreException">It is no stamp: the row is damaged.</exception>
    public static Stamp Parse(string? text)
    {
        Span<byte> bytes = stackalloc byte[Stamp.Bytes];
        if (text is not { Length: 2 * Stamp.Bytes } || Convert.FromHexString(text, bytes, out _, out _) != System.Buffers.OperationStatus.Done)
            throw new StoreException(StoreErrorKind.Corrupt, "A header's stamp or generation is damaged.");
        return Stamp.Read(bytes);
    }
}

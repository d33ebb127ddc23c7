using Stout.Storage;

namespace Stout.Cosmos.Items;

/// <summary>
/// Stamps in headers: their binary form as lower-case hexadecimal digits. So texts compare as the epochs do, and the service can tell an older owner's
/// stamp by itself.
/// </summary>
internal static class StampText
{
    public static string Of(in Stamp stamp)
    {
        Span<byte> bytes = stackalloc byte[Stamp.Bytes];
        stamp.Write(bytes);
        return Convert.ToHexStringLower(bytes);
    }

    /// <exception cref="FormatException">The text is no stamp.</exception>
    public static Stamp Parse(string? text)
    {
        var bytes = Convert.FromHexString(text ?? "");
        return bytes.Length == Stamp.Bytes ? Stamp.Read(bytes) : throw new FormatException("not the length of a stamp");
    }

    /// <summary>What the texts of all stamps of smaller epochs are less than.</summary>
    public static string FirstOf(long epoch) => Of(new Stamp(epoch, Guid.Empty, 0));
}

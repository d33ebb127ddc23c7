using System.Buffers;
using Stout.Storage;

namespace Stout.Cosmos.Items;

/// <summary>The form of owners in items: their binary form in hexadecimal digits.</summary>
internal static class OwnerText
{
    public static string Of(in KeyOwner owner)
    {
        Span<byte> bytes = stackalloc byte[KeyOwner.Bytes];
        owner.Write(bytes);
        return Convert.ToHexStringLower(bytes);
    }

    /// <exception cref="FormatException">The text is not a valid owner.</exception>
    public static KeyOwner Parse(string? text)
    {
        Span<byte> bytes = stackalloc byte[KeyOwner.Bytes];
        return text is { Length: 2 * KeyOwner.Bytes }
            && Convert.FromHexString(text, bytes, out _, out _) == OperationStatus.Done
            && KeyOwner.TryRead(bytes, out var owner) && owner != KeyOwner.None
            && text == Of(owner)
                ? owner
                : throw new FormatException("an owner is none");
    }
}

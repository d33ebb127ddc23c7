using System.Text;

namespace Stout.Storage;

/// <summary>Reads sub-keys that a store keeps in UTF-8, and that may be damaged.</summary>
public static class SubKeyBytes
{
    /// <summary>UTF-8 without tolerance: bytes that are no UTF-8 are an exception, so that no two stored names become one.</summary>
    internal static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Reads a sub-key.</summary>
    /// <param name="utf8">The stored bytes.</param>
    /// <param name="subKey">The sub-key; <see cref="SubKey.Root"/> if the bytes are empty or invalid.</param>
    /// <returns>Whether the bytes are valid UTF-8 and within <see cref="SubKey.MaxBytes"/>.</returns>
    public static bool TryRead(ReadOnlySpan<byte> utf8, out SubKey subKey)
    {
        subKey = default;
        try
        {
            if (utf8.Length > SubKey.MaxBytes)
                return false;
            subKey = new SubKey(StrictUtf8.GetString(utf8));
            return true;
        }
        catch (DecoderFallbackException)
        {
            return false;
        }
    }
}

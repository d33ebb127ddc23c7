using System.Text;

namespace Stout;

/// <summary>Checks shared by keys and sub-keys: well-formed UTF-16 with a bounded length in UTF-8.</summary>
internal static class KeyText
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public static void Validate(string text, int maxBytes)
    {
        var bytes = CountBytes(text);
        if (bytes > maxBytes)
            throw new InvalidKeyException(InvalidKeyReason.TooLong, bytes, maxBytes);

        static int CountBytes(string text)
        {
            try
            {
                return Strict.GetByteCount(text);
            }
            catch (EncoderFallbackException)
            {
                throw new InvalidKeyException(InvalidKeyReason.IllFormed, text.Length, 0);
            }
        }
    }
}

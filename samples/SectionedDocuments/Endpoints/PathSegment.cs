using System.Buffers;
using System.Globalization;
using System.Text;
using SectionedDocuments.Problems;
using Stout;

namespace SectionedDocuments.Endpoints;

/// <summary>
/// Decodes a segment of the raw path. An id or a name may contain every character, percent-encoded as UTF-8, except U+0000, which the server refuses
/// earlier. A <c>+</c> stands for itself.
/// </summary>
internal static class PathSegment
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public static string Id(string segment) => Decode(segment);

    public static string SectionName(string segment)
    {
        var name = Decode(segment);
        _ = new SubKey(name); // Throws if a section can't have the name.
        return name;
    }

    private static string Decode(string segment)
    {
        var text = segment.Contains('%', StringComparison.Ordinal) ? Unescape(segment) : segment;
        if (text is "." or "..")
            throw new ProblemException(ProblemType.InvalidName, "\".\" and \"..\" can't be names: clients and proxies resolve them, encoded or not.");
        return text;
    }

    private static string Unescape(string segment)
    {
        var bytes = ArrayPool<byte>.Shared.Rent(segment.Length);
        try
        {
            var length = 0;
            for (var i = 0; i < segment.Length; i++)
            {
                if (segment[i] != '%')
                    bytes[length++] = (byte)segment[i]; // a request target is ASCII: the server refuses anything else
                else if (i + 2 < segment.Length
                    && byte.TryParse(segment.AsSpan(i + 1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out bytes[length++]))
                    i += 2;
                else
                    throw NotEncoded();
            }

            return Strict.GetString(bytes, 0, length);
        }
        catch (DecoderFallbackException)
        {
            throw NotEncoded();
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    private static ProblemException NotEncoded() =>
        new(ProblemType.InvalidName, "An id or a name in a path must be percent-encoded UTF-8.");
}

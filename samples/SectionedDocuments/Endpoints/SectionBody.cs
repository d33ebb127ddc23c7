using System.Net.Mime;
using System.Text;
using Microsoft.Net.Http.Headers;
using SectionedDocuments.Problems;

namespace SectionedDocuments.Endpoints;

/// <summary>A section's text as the body of requests and answers: UTF-8 without a byte order mark.</summary>
internal static class SectionBody
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public static async ValueTask<string> ReadAsync(HttpRequest request)
    {
        if (MediaTypeHeaderValue.TryParse(request.ContentType, out var type) && !IsUtf8(type))
            throw new ProblemException(ProblemType.UnsupportedCharset, "Sections are UTF-8.");

        // The body is read as a stream, without the request's token. If the upload breaks off, the server's own reader ends the read and frees its memory.
        using var reader = new StreamReader(request.Body, Strict, detectEncodingFromByteOrderMarks: false);
        try
        {
            return await reader.ReadToEndAsync(CancellationToken.None);
        }
        catch (DecoderFallbackException)
        {
            throw new ProblemException(ProblemType.BodyNotUtf8, "The section's text is not well-formed UTF-8.");
        }
    }

    public static IResult Write(string text) => Results.Text(text, MediaTypeNames.Text.Plain, Encoding.UTF8);

    private static bool IsUtf8(MediaTypeHeaderValue type) =>
        !type.Charset.HasValue || HeaderUtilities.RemoveQuotes(type.Charset).Equals("utf-8", StringComparison.OrdinalIgnoreCase);
}

using System.Net.Mime;
using System.Text;
using Microsoft.Net.Http.Headers;
using SectionedDocuments.Problems;

namespace SectionedDocuments.Endpoints;

/// <summary>A section's text as it travels: UTF-8, nothing added.</summary>
internal static class SectionBody
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public static async ValueTask<string> ReadAsync(HttpRequest request, CancellationToken cancellationToken)
    {
        if (MediaTypeHeaderValue.TryParse(request.ContentType, out var type) && !IsUtf8(type))
            throw new BadRequestException(ProblemType.UnsupportedCharset, "Sections are UTF-8.");

        var reader = request.BodyReader;
        while (true)
        {
            var result = await reader.ReadAsync(cancellationToken);
            if (!result.IsCompleted)
            {
                reader.AdvanceTo(result.Buffer.Start, result.Buffer.End);
                continue;
            }

            try
            {
                return Strict.GetString(result.Buffer);
            }
            catch (DecoderFallbackException)
            {
                throw new BadRequestException(ProblemType.BodyNotUtf8, "The section's text is not well-formed UTF-8.");
            }
            finally
            {
                reader.AdvanceTo(result.Buffer.End);
            }
        }
    }

    public static IResult Write(string text) => Results.Text(text, MediaTypeNames.Text.Plain, Encoding.UTF8);

    private static bool IsUtf8(MediaTypeHeaderValue type) =>
        !type.Charset.HasValue || HeaderUtilities.RemoveQuotes(type.Charset).Equals("utf-8", StringComparison.OrdinalIgnoreCase);
}

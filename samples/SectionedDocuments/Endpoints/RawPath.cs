using Microsoft.AspNetCore.Http.Features;
using SectionedDocuments.Problems;

namespace SectionedDocuments.Endpoints;

/// <summary>
/// Routes by the path as the client sent it. The server decodes the path, except for <c>%2F</c>, and resolves <c>..</c> in it. Afterwards <c>%2F</c>
/// and <c>%252F</c> look the same, and <c>DELETE /documents/a/sections/%2E%2E</c> has become <c>DELETE /documents/a/</c>. So the raw path is split at
/// its slashes first, and <see cref="PathSegment"/> decodes each segment once.
/// </summary>
internal static class RawPath
{
    public static void UseRawPath(this WebApplication app) => app.Use((context, next) =>
    {
        var path = PathOf(context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget);

        // Clients also turn "/documents/a/sections/.." into "/documents/a/" before they send it. That path must not mean the document.
        if (path.Length > 1 && (path.EndsWith('/') || path.Contains("//", StringComparison.Ordinal)))
            throw new ProblemException(ProblemType.InvalidName, "An id or a name can't be empty.");

        context.Request.Path = new PathString(path); // The implicit conversion from a string would decode the path.
        return next(context);
    });

    /// <summary>The path of a request target: "/path?query", or "http://host/path?query", which HTTP/1.1 allows as well.</summary>
    private static string PathOf(string target)
    {
        var start = 0;
        if (!target.StartsWith('/'))
        {
            var authority = target.IndexOf("://", StringComparison.Ordinal);
            start = authority < 0 ? -1 : target.IndexOf('/', authority + 3);
            if (start < 0)
                return "/";
        }

        var end = target.IndexOf('?', start);
        return end < 0 ? target[start..] : target[start..end];
    }
}

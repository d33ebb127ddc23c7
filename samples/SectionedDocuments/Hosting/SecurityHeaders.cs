namespace SectionedDocuments.Hosting;

/// <summary>Restricts browsers: the page uses its own origin only, and a section's text never becomes a page.</summary>
internal static class SecurityHeaders
{
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    public static void UseSecurityHeaders(this WebApplication app) => app.Use((context, next) =>
    {
        // The headers are set just before the answer starts, since the handling of an error clears all headers set so far.
        context.Response.OnStarting(static response => Set(((HttpResponse)response).Headers), context.Response);
        return next(context);
    });

    private static Task Set(IHeaderDictionary headers)
    {
        headers.ContentSecurityPolicy = Policy;
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        return Task.CompletedTask;
    }
}

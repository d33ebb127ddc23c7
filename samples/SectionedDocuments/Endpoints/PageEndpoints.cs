using System.Net.Mime;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Net.Http.Headers;

namespace SectionedDocuments.Endpoints;

/// <summary>Serves the page from the program's resources: index.html at the root, and the page's other files below /page.</summary>
internal static class PageEndpoints
{
    private const string Folder = "page/";
    private const string Index = Folder + "index.html";
    private const string EndOfHead = "</head>";
    private static readonly string[] Methods = [HttpMethods.Get, HttpMethods.Head];

    /// <summary>Serves the page.</summary>
    /// <param name="app">The service.</param>
    /// <param name="head">The service's own lines at the end of the page's head: scripts and styles in addition to the shared ones.</param>
    public static void MapPage(this WebApplication app, string head)
    {
        var assembly = typeof(PageEndpoints).Assembly;
        foreach (var name in assembly.GetManifestResourceNames().Where(name => name.StartsWith(Folder, StringComparison.Ordinal)))
        {
            using var resource = assembly.GetManifestResourceStream(name)!;
            var content = new byte[resource.Length];
            resource.ReadExactly(content);
            if (name == Index)
                content = Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(content).Replace(EndOfHead, head + EndOfHead, StringComparison.Ordinal));
            foreach (var route in RoutesOf(name))
                app.MapMethods(route, Methods, Answer(content, TypeOf(name))).ExcludeFromDescription();
        }
    }

    /// <summary>Answers with a file and its tag. Browsers check their copy by the tag at each use, so a new version never runs with old files.</summary>
    private static Func<HttpResponse, IResult> Answer(byte[] content, string type)
    {
        var tag = new EntityTagHeaderValue($"\"{Convert.ToHexStringLower(SHA256.HashData(content).AsSpan(0, 8))}\"");
        return response =>
        {
            response.Headers.CacheControl = "no-cache";
            return Results.File(content, type, entityTag: tag);
        };
    }

    /// <summary>The routes of a file. Browsers request /favicon.ico for answers that name no icon, such as a section's text.</summary>
    private static string[] RoutesOf(string name) => name switch
    {
        Index => ["/"],
        Folder + "icon.svg" => ["/" + name, "/favicon.ico"],
        _ => ["/" + name],
    };

    private static string TypeOf(string name) => Path.GetExtension(name) switch
    {
        ".html" => MediaTypeNames.Text.Html + "; charset=utf-8",
        ".css" => MediaTypeNames.Text.Css + "; charset=utf-8",
        ".js" => MediaTypeNames.Text.JavaScript + "; charset=utf-8",
        ".svg" => MediaTypeNames.Image.Svg,
        var other => throw new NotSupportedException($"The page has a file of the type {other}, which has no content type yet."),
    };
}

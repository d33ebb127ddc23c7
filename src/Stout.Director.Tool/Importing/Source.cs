namespace Stout.Director.Tool.Importing;

/// <summary>A source of series: a query for Prometheus, or a file with the answer to one.</summary>
/// <param name="Query">The query; null for a file.</param>
/// <param name="File">The file; null for a query.</param>
internal sealed record Source(string? Query, FileInfo? File)
{
    /// <summary>Reads <c>@FILE</c> as a file, and any other text as a query.</summary>
    public static Source? Parse(string? text) => text switch
    {
        null => null,
        ['@', .. var path] => new Source(null, new FileInfo(path)),
        _ => new Source(text, null),
    };
}

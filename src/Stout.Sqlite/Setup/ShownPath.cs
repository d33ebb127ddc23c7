namespace Stout.Sqlite.Setup;

/// <summary>Paths in messages and logs. A connection string, with its password, may have been given as the path by mistake.</summary>
internal static class ShownPath
{
    public static string Of(string path) => path.Contains('=', StringComparison.Ordinal) ? "(not shown, since it contains '=')" : path;
}

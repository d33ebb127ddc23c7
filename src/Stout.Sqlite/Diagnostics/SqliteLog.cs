using Microsoft.Extensions.Logging;

namespace Stout.Sqlite.Diagnostics;

/// <summary>The log messages of the category <c>Stout.Sqlite</c>.</summary>
internal static partial class SqliteLog
{
    /// <summary>The category of the messages.</summary>
    public const string Category = "Stout.Sqlite";

    [LoggerMessage(1, LogLevel.Information, "Stout {Client}: the files are open; the first of {Files} is {Path}")]
    public static partial void Opened(this ILogger logger, string client, string path, int files);

    // Outside development a new file is seldom meant: the service may have been started with another path.
    [LoggerMessage(EventId = 2, Message = "Stout {Client}: the file {Path} did not exist and was created.")]
    public static partial void Created(this ILogger logger, LogLevel level, string client, string path);
}

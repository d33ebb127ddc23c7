using Microsoft.Extensions.Logging;

namespace Stout.PostgreSql.Diagnostics;

/// <summary>The log messages. They contain no key and no value.</summary>
internal static partial class PostgreSqlLog
{
    public const string Category = "Stout.PostgreSql";

    [LoggerMessage(PostgreSqlTelemetry.ActivityHidden, LogLevel.Information,
        "Stout {Client}, partition {Partition}: the database's role does not see the transactions of other users, so stout.postgresql.snapshot.age lacks them. GRANT pg_read_all_stats to it.")]
    public static partial void ActivityHidden(this ILogger logger, string client, int partition);
}

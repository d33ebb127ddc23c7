using System.Globalization;
using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Sessions;

/// <summary>How the store's connections differ from what their connection string says.</summary>
internal static class SessionSettings
{
    /// <summary>
    /// The plans that are right at any size of the tables: a few keys, each found by its index. A plan that is made while a table is
    /// empty is kept, and would read the whole of it later. Memory for the largest batch, so that it is not put on the disk on its way.
    /// </summary>
    private const string Planning =
        "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off -c work_mem=64MB";

    public static NpgsqlDataSource CreateDataSource(string connectionString, PostgreSqlOptions options)
    {
        var settings = new NpgsqlConnectionStringBuilder(connectionString)
        {
            Pooling = false,
            Multiplexing = false,
            Enlist = false,
            MaxAutoPrepare = 16,
            AutoPrepareMinUsages = 1,

            // The store's own time limit ends a call, by its token: the server is told to stop, and the connection is given up. This one
            // is for what is asked while the store is opened.
            CommandTimeout = (int)Math.Ceiling(options.Calls.Timeout.TotalSeconds) + 1,

            // As good as none. Npgsql reads settings by the current culture, and cultures differ in the sign of its -1.
            CancellationTimeout = 1,

            // Details quote keys and values.
            IncludeErrorDetail = false,
        };
        settings.ApplicationName ??= "Stout";

        // A host that swallows packets has to be seen as one that was not reached, and that has to be before the call's own limit.
        settings.Timeout = Math.Clamp((int)(options.Calls.Timeout.TotalSeconds / 2), 1, Math.Max(1, settings.Timeout));
        settings.Options = string.Create(
            CultureInfo.InvariantCulture,
            $"{settings.Options} {Planning} -c default_transaction_isolation=read\\ committed -c lock_timeout={(long)options.LockTimeout.TotalMilliseconds}").Trim();

        var builder = new NpgsqlDataSourceBuilder(settings.ConnectionString);
        options.ConfigureDataSource?.Invoke(builder);
        return builder.Build();
    }

    /// <summary>Whether a connection leaves this machine only encrypted. <c>Prefer</c>, Npgsql's default, goes on without encryption where a server has none.</summary>
    public static bool IsEncrypted(string connectionString)
    {
        var settings = new NpgsqlConnectionStringBuilder(connectionString);
        return settings.SslMode is SslMode.Require or SslMode.VerifyCA or SslMode.VerifyFull
            || settings.Host!.Split(',').All(static host => LocalHost.Is(WithoutPort(host.Trim())));
    }

    private static string WithoutPort(string host) => host.LastIndexOf(':') is > 0 and var colon && host.AsSpan().Count(':') == 1
        ? host[..colon]
        : host.LastIndexOf(']') is > 0 and var end ? host[..(end + 1)] : host;

    /// <summary>A name as SQL quotes it.</summary>
    public static string Quote(string name) => '"' + name.Replace("\"", "\"\"", StringComparison.Ordinal) + '"';
}

using Npgsql;
using Stout.Storage;

namespace Stout.PostgreSql.Sessions;

/// <summary>The settings that the store changes in the connection strings.</summary>
internal static class SessionSettings
{
    public static NpgsqlDataSource CreateDataSource(string connectionString, PostgreSqlOptions options)
    {
        var settings = new NpgsqlConnectionStringBuilder(connectionString)
        {
            Pooling = false,
            Multiplexing = false,
            Enlist = false,
            MaxAutoPrepare = 16,
            AutoPrepareMinUsages = 1,

            // The store's own time limit ends a call by its token, which cancels the request and discards the connection. This limit applies while
            // the store is opened.
            CommandTimeout = (int)Math.Ceiling(options.Calls.Timeout.TotalSeconds) + 1,

            // 1 ms: practically no wait. The value -1 (no wait) would be parsed by the current culture, whose minus sign may differ.
            CancellationTimeout = 1,

            // Details quote keys and values.
            IncludeErrorDetail = false,
        };
        settings.ApplicationName ??= "Stout";

        // Unreachable hosts must be detected before the call's own limit, so that the request counts as not sent. Npgsql's limit is that of one host.
        var hosts = settings.Host!.Split(',').Length;
        settings.Timeout = Math.Clamp((int)(options.Calls.Timeout.TotalSeconds / 2 / hosts), 1, Math.Max(1, settings.Timeout));
        if (hosts > 1)
            UseSeveralHosts(settings);
        KeepAlive(settings);
        settings.Options = $"{settings.Options} {new WantedSettings(options).Startup}".Trim();

        var builder = new NpgsqlDataSourceBuilder(settings.ConnectionString);
        options.ConfigureDataSource?.Invoke(builder);
        return builder.Build();
    }

    /// <summary>Defaults for several hosts, of which the store needs the primary.</summary>
    private static void UseSeveralHosts(NpgsqlConnectionStringBuilder settings)
    {
        settings.TargetSessionAttributes ??= "primary";

        // Npgsql skips a host for this time after it was down, and so would prolong a short outage by its default of 10 s.
        if (!settings.ShouldSerialize("Host Recheck Seconds"))
            settings.HostRecheckSeconds = 1;
    }

    /// <summary>
    /// Keeps idle connections known to what stands between, unless the user's settings do. Cloud load balancers forget an idle connection after 4 minutes or
    /// more, firewalls often after 1. The first request would then wait for its time limit. A dead idle connection is known after 30 s and some probes.
    /// </summary>
    private static void KeepAlive(NpgsqlConnectionStringBuilder settings)
    {
        if (settings.ShouldSerialize("Keepalive") || settings.ShouldSerialize("TCP Keepalive") || settings.ShouldSerialize("TCP Keepalive Time"))
            return;
        settings.TcpKeepAlive = true;
        settings.TcpKeepAliveTime = 30;
        settings.TcpKeepAliveInterval = 10;
    }

    /// <summary>
    /// Whether all connections to another machine are encrypted. <c>Prefer</c>, Npgsql's default, continues without encryption if the server does not
    /// support it.
    /// </summary>
    public static bool IsEncrypted(string connectionString)
    {
        var settings = new NpgsqlConnectionStringBuilder(connectionString);
        return settings.SslMode is SslMode.Require or SslMode.VerifyCA or SslMode.VerifyFull
            || settings.Host!.Split(',').All(static host => LocalHost.Is(WithoutPort(host.Trim())));
    }

    private static string WithoutPort(string host) => host.LastIndexOf(':') is > 0 and var colon && host.AsSpan().Count(':') == 1
        ? host[..colon]
        : host.LastIndexOf(']') is > 0 and var end ? host[..(end + 1)] : host;

    /// <summary>Quotes a name for SQL.</summary>
    public static string Quote(string name) => '"' + name.Replace("\"", "\"\"", StringComparison.Ordinal) + '"';
}

using System.Globalization;
using Npgsql;
using Stout.PostgreSql.Setup;
using Stout.Storage;

namespace Stout.PostgreSql.Sessions;

/// <summary>
/// The server's settings on which the store's bounds and plans rest. They are startup parameters of each connection. A pooler may drop those, so they are
/// read back.
/// </summary>
internal sealed class WantedSettings(PostgreSqlOptions options)
{
    // Values as the view pg_settings shows them, in its units.
    private readonly (string Name, string Value)[] _settings =
    [
        // Planner settings that suit tables of any size, since a batch finds a few keys by index. Otherwise a plan made for an empty table would be kept,
        // and would scan a large table later. Working memory, in KB, fits the largest batch.
        ("plan_cache_mode", "force_generic_plan"),
        ("enable_seqscan", "off"),
        ("enable_hashjoin", "off"),
        ("enable_mergejoin", "off"),
        ("jit", "off"),
        ("work_mem", "65536"),
        ("default_transaction_isolation", "read committed"),

        // A commit without its standby's confirmation is known by a warning alone.
        ("client_min_messages", "warning"),
        ("lock_timeout", ((long)options.LockTimeout.TotalMilliseconds).ToString(CultureInfo.InvariantCulture)),
    ];

    /// <summary>The settings as the startup parameter <c>options</c>.</summary>
    public string Startup =>
        string.Join(' ', _settings.Select(static setting => $"-c {setting.Name}={setting.Value.Replace(" ", "\\ ", StringComparison.Ordinal)}"));

    /// <summary>The name of a setting with another value than the wanted one; null if all have theirs.</summary>
    public async Task<string?> FindOtherAsync(NpgsqlConnection connection, CancellationToken cancellationToken) =>
        (string?)await connection.AskAsync(
            """
            SELECT w.name FROM unnest($1, $2) AS w (name, value) LEFT JOIN pg_settings s ON s.name = w.name
            WHERE s.setting IS DISTINCT FROM w.value ORDER BY w.name DESC LIMIT 1
            """,
            cancellationToken,
            Sql.Parameter(Array.ConvertAll(_settings, static setting => setting.Name)),
            Sql.Parameter(Array.ConvertAll(_settings, static setting => setting.Value))).ConfigureAwait(false);

    /// <summary>Sets what a pooler in session mode has dropped at the start of a connection.</summary>
    /// <exception cref="StoreException">A setting keeps another value.</exception>
    public async Task EnsureAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        if (await FindOtherAsync(connection, cancellationToken).ConfigureAwait(false) is null)
            return;
        await connection.ExecuteAsync(
            "SELECT set_config(w.name, w.value, false) FROM unnest($1, $2) AS w (name, value)",
            cancellationToken,
            Sql.Parameter(Array.ConvertAll(_settings, static setting => setting.Name)),
            Sql.Parameter(Array.ConvertAll(_settings, static setting => setting.Value))).ConfigureAwait(false);
        if (await FindOtherAsync(connection, cancellationToken).ConfigureAwait(false) is { } other)
            throw PostgreSqlErrors.OfPooler($"does not keep the setting {other}");
    }
}

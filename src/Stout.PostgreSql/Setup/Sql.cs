using System.Globalization;
using Npgsql;

namespace Stout.PostgreSql.Setup;

/// <summary>Plain statements for single use.</summary>
internal static class Sql
{
    public static async Task ExecuteAsync(
        this NpgsqlConnection connection, string sql, CancellationToken cancellationToken, params NpgsqlParameter[] parameters)
    {
        var command = new NpgsqlCommand(sql, connection);
        command.Parameters.AddRange(parameters);
        await using (command.ConfigureAwait(false))
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <returns>The first value of the first row, or null.</returns>
    public static async Task<object?> AskAsync(
        this NpgsqlConnection connection, string sql, CancellationToken cancellationToken, params NpgsqlParameter[] parameters)
    {
        var command = new NpgsqlCommand(sql, connection);
        command.Parameters.AddRange(parameters);
        await using (command.ConfigureAwait(false))
            return await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Runs statements in a transaction. Clients that start together wait for one another here, longer than a request waits for a key. The commit is durable
    /// before the next database is changed, so that a crash cannot leave a gap in a set.
    /// </summary>
    /// <param name="connection">The connection.</param>
    /// <param name="patience">The longest wait for a lock.</param>
    /// <param name="statements">The statements.</param>
    /// <param name="cancellationToken">Ends the transaction.</param>
    public static async Task CommitAsync(this NpgsqlConnection connection, TimeSpan patience, Func<Task> statements, CancellationToken cancellationToken)
    {
        var transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            await connection.ExecuteAsync(
                "SELECT set_config('lock_timeout', $1, true), set_config('synchronous_commit', 'on', true)",
                cancellationToken,
                Parameter(((long)patience.TotalMilliseconds).ToString(CultureInfo.InvariantCulture))).ConfigureAwait(false);
            await statements().ConfigureAwait(false);
            await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    public static NpgsqlParameter Parameter<T>(T value) => new NpgsqlParameter<T> { TypedValue = value };
}

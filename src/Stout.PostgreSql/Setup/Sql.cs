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

    public static NpgsqlParameter Parameter<T>(T value) => new NpgsqlParameter<T> { TypedValue = value };
}

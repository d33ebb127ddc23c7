using Npgsql;

namespace Stout.PostgreSql.Tests;

/// <summary>Another session's transaction, which holds its locks until its disposal.</summary>
internal sealed class HeldRows : IAsyncDisposable
{
    private readonly NpgsqlConnection _connection;

    private HeldRows(NpgsqlConnection connection) => _connection = connection;

    /// <param name="connectionString">The database.</param>
    /// <param name="sql">A statement that takes the locks.</param>
    public static async Task<HeldRows> HoldAsync(string connectionString, string sql)
    {
        var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false }.ConnectionString);
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var command = new NpgsqlCommand("BEGIN; " + sql, connection);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        return new HeldRows(connection);
    }

    /// <summary>Rolls the transaction back. The server has released the locks when the task completes.</summary>
    public async ValueTask DisposeAsync()
    {
        await using (_connection)
        {
            await using var command = new NpgsqlCommand("ROLLBACK", _connection);
            await command.ExecuteNonQueryAsync();
        }
    }
}

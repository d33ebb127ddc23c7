using Microsoft.Data.Sqlite;

namespace Stout.Argon.Experiments.Traces;

/// <summary>One connection to a database file, with statements that are prepared once.</summary>
internal sealed class SqliteSession : IDisposable
{
    private readonly SqliteConnection _connection;
    private readonly Dictionary<string, SqliteCommand> _commands = [];

    /// <param name="path">The database.</param>
    /// <param name="cacheKilobytes">The size of SQLite's own cache. A small cache leaves the caching to Argon's engine, which the trace is replayed on.</param>
    public SqliteSession(string path, int cacheKilobytes)
    {
        _connection = new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = path, Pooling = false }.ToString());
        _connection.Open();
        Execute($"PRAGMA page_size = {RecordCommand.BlockSize}");
        Execute("PRAGMA journal_mode = WAL");
        Execute("PRAGMA synchronous = FULL");
        Execute("PRAGMA temp_store = MEMORY");
        Execute($"PRAGMA cache_size = -{cacheKilobytes}");
    }

    /// <summary>Runs a statement, with parameters $0, $1, ….</summary>
    /// <returns>The first column of the first row; null without rows.</returns>
    public object? Execute(string sql, params ReadOnlySpan<object> parameters)
    {
        if (!_commands.TryGetValue(sql, out var command))
        {
            _commands.Add(sql, command = _connection.CreateCommand());
            command.CommandText = sql;
            for (var i = 0; i < parameters.Length; i++)
                command.Parameters.AddWithValue($"${i}", parameters[i]);
        }

        for (var i = 0; i < parameters.Length; i++)
            command.Parameters[i].Value = parameters[i];
        using var rows = command.ExecuteReader();
        object? first = null;
        while (rows.Read())
            first ??= rows.GetValue(0);
        return first;
    }

    public void Dispose()
    {
        foreach (var command in _commands.Values)
            command.Dispose();
        _connection.Dispose();
    }
}
